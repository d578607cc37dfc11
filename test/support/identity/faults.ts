import type { Fault } from './openid-double';

/** Sends to another address of the same host. */
export const redirects: Fault = (response) => void response.writeHead(302, { Location: '/elsewhere' }).end();

/** Answers as long as anybody reads. */
export const endless: Fault = (response) => {
  const piece = Buffer.alloc(65_536, ' ');
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};
