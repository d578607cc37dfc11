import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range that systems give to outgoing connections, so that none of those takes a port first. */
const FIRST = 20_000;
const LAST = 32_767;
const TRIES = 200;

/**
 * A port that nobody listens on now.
 * @param preferred taken when it is free
 * @param avoid ports that belong to others although nobody listens yet
 * @returns null when none was found
 */
export async function freePort(
  host: string,
  preferred: number | null,
  avoid: ReadonlySet<number>,
): Promise<number | null> {
  if (preferred !== null && !avoid.has(preferred) && (await isFree(host, preferred))) return preferred;
  for (let n = 0; n < TRIES; n++) {
    const port = randomInt(FIRST, LAST + 1);
    if (!avoid.has(port) && (await isFree(host, port))) return port;
  }
  return null;
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
