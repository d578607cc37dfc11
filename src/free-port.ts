import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { StartError } from './kernel/common';
import type { Settings } from './kernel/config';

type PortSetting = 'PORT' | 'CALLBACK_PORT';

/**
 * Ports below those that systems give to connections by themselves: one of those may be taken between this check and the moment at
 * which the service listens.
 */
const FIRST_CHOICE = 20_000;
const CHOICES = 12_000;
const TRIES = 10;

/**
 * Checks the port before anything is started, and picks one for `PORT=0`, since sandboxes need to know it.
 * @throws StartError when the service cannot listen there
 */
export async function freePort({ HOST, PORT }: Pick<Settings, 'HOST' | 'PORT'>): Promise<number> {
  for (let tries = 0; PORT === 0 && tries < TRIES; tries++) {
    const chosen = await probed(HOST, FIRST_CHOICE + randomInt(CHOICES)).catch(() => null);
    if (chosen !== null) return chosen;
  }
  return probed(HOST, PORT).catch((error: unknown) => {
    throw listenProblem(error, { HOST, PORT }) ?? error;
  });
}

/** The port, once it was found to be free. */
function probed(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(port, host, () => {
      const address = probe.address();
      const found = address !== null && typeof address === 'object' ? address.port : port;
      probe.close(() => resolve(found));
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
