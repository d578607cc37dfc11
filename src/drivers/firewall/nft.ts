import { execFile } from 'node:child_process';

const NFT_MS = 10_000;

/** Runs a script of nftables. @throws Error with its first complaint */
export function nft(script: string): Promise<void> {
  return new Promise((done, fail) => {
    // Its usual folder is not always in PATH.
    const env = { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` };
    const child = execFile('nft', ['-f', '-'], { timeout: NFT_MS, env }, (error, _out, messages) => {
      if (error === null) done();
      else fail(new Error(messages.trim().split('\n')[0] || error.message, { cause: error }));
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(script);
  });
}
