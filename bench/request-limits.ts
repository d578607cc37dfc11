/**
 * The cost of counting requests: the organization list of a service with limits that are never reached, and of one
 * without, over one database, measured alternately in one run. What counts is the processor time of the service for a
 * request; on a busy machine it still differs by some percent from process to process, so the time of counting and of
 * making the headers is measured by itself too. Needs the built service (`npm run build`).
 *
 *   npm run bench -- request-limits [--seconds 3] [--rounds 7]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { newKey } from '../src/api-keys/keys/key-format';
import { rateLimitHeaders } from '../src/request-limits';
import { WindowCounts } from '../src/request-limits/window-counts';
import { freePort } from '../test/support/service/free-port';
import { options } from './options';
import { measure, quantile, round } from './org-list-load';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const { seconds: SECONDS, rounds: ROUNDS } = options({ seconds: 3, rounds: 7 });
const WARM_UP_SECONDS = 8;
const CONNECTIONS = 8;
const CALLS = 200_000;
const CLOCK_TICK_MS = 10;
const LIMITED = { READ_CALLS_PER_MINUTE: '1000000000' };

interface Service {
  readonly child: ChildProcess;
  readonly port: number;
}

interface Turn {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-limits-'));
  const key = newKey();
  const started: Service[] = [];
  const start = async (name: string, env: Readonly<Record<string, string>>): Promise<Service> => {
    const port = await freePort();
    const child = spawn(process.execPath, [join(__dirname, '..', 'dist', 'main.js')], {
      env: { ...process.env, PORT: String(port), DATA_DIR: join(folder, name), SECRET_KEY: key, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const service = { child, port };
    started.unshift(service); // the one with the database ends last
    await ready(service);
    return service;
  };
  try {
    await start('database', { BOOTSTRAP_KEY: key });
    const { url } = z
      .object({ url: z.string() })
      .parse(JSON.parse(readFileSync(join(folder, 'database', 'postgres.json'), 'utf8')));
    const replica = { DATABASE_URL: url, APP_ROLE: 'api' };
    const limited = await start('limited', { ...LIMITED, ...replica });
    const unlimited = await start('unlimited', { ...UNLIMITED, ...replica });
    const path = await listPath(limited, key);
    await turn(limited, path, key, WARM_UP_SECONDS);
    await turn(unlimited, path, key, WARM_UP_SECONDS);
    const turns: { limited: Turn[]; unlimited: Turn[] } = { limited: [], unlimited: [] };
    for (let number = 0; number < ROUNDS; number++) {
      turns.unlimited.push(await turn(unlimited, path, key, SECONDS));
      turns.limited.push(await turn(limited, path, key, SECONDS));
    }
    const [on, off] = [medians(turns.limited), medians(turns.unlimited)];
    const percentOf = (part: number): number => round((part / off.cpuMicroseconds) * 100);
    const counting = await countingMicroseconds();
    report('request-limits', {
      ...{ secondsPerTurn: SECONDS, rounds: ROUNDS, connections: CONNECTIONS },
      results: { limited: on, unlimited: off, countingMicroseconds: counting },
      percentOfRequest: {
        compared: percentOf(on.cpuMicroseconds - off.cpuMicroseconds),
        counting: percentOf(counting),
      },
    });
  } finally {
    for (const { child } of started) await stop(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The path of the list of the first organization. */
async function listPath({ port }: Service, key: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/organizations`, {
    headers: { 'X-Access-Token': key },
  });
  const { items } = z.object({ items: z.array(z.object({ id: z.string() })) }).parse(await response.json());
  return `/api/organizations/${items[0]?.id ?? ''}/conversations`;
}

async function turn({ child, port }: Service, path: string, key: string, seconds: number): Promise<Turn> {
  const before = cpuMs(child);
  const { perSecond } = await measure({ port, path, key, connections: CONNECTIONS, seconds });
  return { perSecond, cpuMicroseconds: ((cpuMs(child) - before) * 1_000) / (perSecond * seconds) };
}

/** The processor time of counting one request and of making its headers, by itself. */
async function countingMicroseconds(): Promise<number> {
  const counts = new WindowCounts(1_000_000_000);
  const once = async (): Promise<void> => {
    rateLimitHeaders(await counts.add('key'));
    await counts.isExhausted('address');
  };
  for (let call = 0; call < CALLS; call++) await once();
  const before = process.cpuUsage();
  for (let call = 0; call < CALLS; call++) await once();
  const { user, system } = process.cpuUsage(before);
  return round((user + system) / CALLS);
}

/** The processor time that a process has taken, as Linux counts it. */
function cpuMs({ pid }: ChildProcess): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields[11], fields[12]];
  return (Number(user) + Number(system)) * CLOCK_TICK_MS;
}

function medians(turns: readonly Turn[]): Turn {
  return {
    perSecond: quantile(
      turns.map(({ perSecond }) => perSecond),
      0.5,
    ),
    cpuMicroseconds: quantile(
      turns.map(({ cpuMicroseconds }) => cpuMicroseconds),
      0.5,
    ),
  };
}

async function ready({ child, port }: Service): Promise<void> {
  for (;;) {
    const { status } = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => ({ status: 0 }));
    if (status === 200) return;
    if (child.exitCode !== null) throw new Error('The service did not start.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
