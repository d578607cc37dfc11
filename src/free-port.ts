import { createServer } from 'node:net';
import { StartError } from './kernel/common';
import type { Settings } from './kernel/config';

type PortSetting = 'PORT' | 'CALLBACK_PORT';

/**
 * Checks the port before anything is started, and picks one for `PORT=0`, since sandboxes need to know it.
 * @throws StartError when the service cannot listen there
 */
export function freePort({ HOST, PORT }: Pick<Settings, 'HOST' | 'PORT'>): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(listenProblem(error, { HOST, PORT }) ?? error));
    probe.listen(PORT, HOST, () => {
      const address = probe.address();
      const port = address !== null && typeof address === 'object' ? address.port : PORT;
      probe.close(() => resolve(port));
    });
  });
}

/** The explanation of a listen error; null for another error. */
export function listenProblem(
  error: unknown,
  { HOST, PORT }: Pick<Settings, 'HOST' | 'PORT'>,
  setting: PortSetting = 'PORT',
): StartError | null {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${PORT} on ${HOST} is in use. Stop what listens there, or set ${setting}.`,
    EACCES: `Port ${PORT} needs more rights than this user has. Set ${setting} to one above 1023.`,
    EADDRNOTAVAIL: `HOST ${HOST} is no address of this machine.`,
    ENOTFOUND: `HOST ${HOST} is not known.`,
  };
  const listening = error instanceof Error && 'syscall' in error && error.syscall !== 'connect';
  const sentence = listening ? sentences[String(code)] : undefined;
  return sentence === undefined ? null : new StartError(sentence, { cause: error });
}
