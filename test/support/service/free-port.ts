import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below those of sandboxes and of outgoing connections, any of which could take the port before the service does. */
const FIRST = 10_000;
const LAST = 19_999;
/** Workers of one test run have ports of their own: what one has found free is not taken by another meanwhile. */
const WORKERS = 8;
const OWN = Math.floor((LAST + 1 - FIRST) / WORKERS);
const FIRST_OWN = FIRST + ((Number(process.env.JEST_WORKER_ID ?? 1) - 1) % WORKERS) * OWN;

/** A port of loopback that was just free, for a service that has to know its port before it listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_OWN, FIRST_OWN + OWN);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
