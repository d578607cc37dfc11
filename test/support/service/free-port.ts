import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below those of sandboxes and of outgoing connections, any of which could take the port before the service does. */
const FIRST = 10_000;
const LAST = 19_999;

/** A port of loopback that was just free, for a service that has to know its port before it listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
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
