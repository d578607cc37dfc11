import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Below those of sandboxes and of outgoing connections, any of which could take the port before the service does. */
const FIRST = 10_000;
const LAST = 19_999;
/** Workers of one test run have ports of their own: what one has found free is not taken by another meanwhile. */
const WORKERS = 8;
const OWN = Math.floor((LAST + 1 - FIRST) / WORKERS);
const FIRST_OWN = FIRST + ((Number(process.env.JEST_WORKER_ID ?? 1) - 1) % WORKERS) * OWN;

/** Nobody may listen at one yet when the next is asked for. */
const given = new Set<number>();

/** A port of loopback that was just free, for a service that has to know its port before it listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort();
    if (await isFree(port)) return port;
  }
}

/** As {@link freePort}, at once: one that nobody listens at as far as Linux tells, and elsewhere any. */
export function nextPort(): number {
  const taken = listenedAt();
  if (given.size > OWN / 2) given.clear();
  for (;;) {
    const port = randomInt(FIRST_OWN, FIRST_OWN + OWN);
    if (given.has(port) || taken.has(port)) continue;
    given.add(port);
    return port;
  }
}

function listenedAt(): ReadonlySet<number> {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].filter((path) => existsSync(path));
  const lines = tables.flatMap((path) => readFileSync(path, 'utf8').split('\n'));
  return new Set(lines.map((line) => parseInt(/^ *\d+: [0-9A-F]+:([0-9A-F]{4})/.exec(line)?.[1] ?? '', 16)));
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
