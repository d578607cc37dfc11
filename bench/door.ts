/**
 * The door, compared with a bare `node:http` proxy and with the direct connection: small requests a second and their
 * latency at 1 and 16 connections, MB/s of a large download, and memory of idle WebSockets, measured alternately in one
 * run. Needs the built service (`npm run build`).
 *
 *   npm run bench -- door [--seconds 4] [--rounds 3] [--mebibytes 1024] [--sockets 1000]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { newKey } from '../src/accounts/api-keys/keys/key-format';
import { freePort } from '../test/support/service/free-port';
import { options } from './options';
import { quantile, round } from './org-list-load';
import { processorMs } from './processor-time';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const {
  seconds: SECONDS,
  rounds: ROUNDS,
  mebibytes: MEBIBYTES,
  sockets: SOCKETS,
} = options({ seconds: 4, rounds: 3, mebibytes: 1024, sockets: 1000 });
const WARM_UP_SECONDS = 8;
/** What was freed by the garbage collector goes back to the system only some time later. */
const SETTLE_MS = 15_000;
const ROOT = join(__dirname, '..');
const NAMES = ['direct', 'bare', 'door'] as const;

type Name = (typeof NAMES)[number];

interface Way {
  readonly origin: string;
  readonly prefix: string;
  readonly headers: Record<string, string>;
  /** What is in between; null where nothing is. */
  readonly process: ChildProcess | null;
}

type Ways = Readonly<Record<Name, Way>>;

const sandboxSchema = z.object({
  id: z.string(),
  status: z.string(),
  session_api_key: z.string().nullable(),
  exposed_urls: z.array(z.object({ url: z.string() })).nullable(),
});

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-door-'));
  chmodSync(dataDir, 0o755);
  const children: ChildProcess[] = [];
  const start = (args: string[], env: Record<string, string>): ChildProcess => {
    const settings = { ...process.env, ...env };
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: settings,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    children.push(child);
    return child;
  };
  try {
    const key = newKey();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const service = start([join(ROOT, 'dist', 'main.js')], {
      PORT: String(port),
      DATA_DIR: dataDir,
      BOOTSTRAP_KEY: key,
      SANDBOX_DRIVER: 'process',
      AGENT_SERVER_COMMAND: `${process.execPath} ${agentServerIn(dataDir)}`,
      ...{
        SANDBOX_ISOLATION: 'none',
        WEB_UI: 'off',
        DOOR_CONNECTIONS_PER_SANDBOX: '4000',
        DOOR_CONNECTIONS_PER_USER: '4000',
      },
      ...UNLIMITED,
      DOOR_CALLS_PER_MINUTE: '1000000000',
    });
    await until(async () => (await fetch(`${url}/ready`)).ok);
    const { id, direct, sessionKey } = await runningSandbox(url, key);
    const barePort = await freePort();
    const bare = start(['--require', '@swc-node/register', join(__dirname, 'door', 'bare-proxy.ts')], {
      PORT: String(barePort),
      TARGET: direct,
    });
    await until(async () => (await fetch(`http://127.0.0.1:${barePort}/health`)).ok);
    const own = { 'X-Session-API-Key': sessionKey };
    const ways: Ways = {
      direct: { origin: direct, prefix: '', headers: own, process: null },
      bare: { origin: `http://127.0.0.1:${barePort}`, prefix: '', headers: own, process: bare },
      door: {
        origin: url,
        prefix: `/api/v1/sandboxes/${id}/agent-server`,
        headers: { 'X-Access-Token': key },
        process: service,
      },
    };
    for (const name of NAMES) await turn(ways[name], 16, WARM_UP_SECONDS);
    const results = {
      at1Connection: await compare(ways, 1),
      at16Connections: await compare(ways, 16),
      downloadMegabytesPerSecond: await compareDownloads(ways),
      idleSocketKilobytes: {
        bare: await kilobytesPerSocket(ways.bare),
        door: await kilobytesPerSocket(ways.door),
      },
    };
    report('door', {
      secondsPerTurn: SECONDS,
      rounds: ROUNDS,
      mebibytes: MEBIBYTES,
      sockets: SOCKETS,
      results,
    });
    await call(`${url}/api/v1/sandboxes/${id}`, key, 'DELETE');
    await until(async () => (await sandboxOf(url, key, id)).status === 'MISSING');
  } finally {
    for (const child of children) child.kill('SIGTERM');
    for (const child of children)
      if (child.exitCode === null && child.signalCode === null)
        await new Promise((resolve) => child.once('exit', resolve));
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Where users of sandboxes can read it, with what it needs. */
function agentServerIn(dataDir: string): string {
  cpSync(join(ROOT, 'node_modules', 'ws'), join(dataDir, 'program', 'node_modules', 'ws'), {
    recursive: true,
  });
  const program = join(dataDir, 'program', 'agent-server.cjs');
  cpSync(join(__dirname, 'door', 'agent-server.cjs'), program);
  return program;
}

async function runningSandbox(url: string, key: string) {
  const { id } = sandboxSchema.parse(await call(`${url}/api/v1/sandboxes`, key, 'POST'));
  await until(async () => (await sandboxOf(url, key, id)).status === 'RUNNING');
  const { exposed_urls: urls, session_api_key: sessionKey } = await sandboxOf(url, key, id);
  const direct = (urls?.[0]?.url ?? '').replace('localhost', '127.0.0.1');
  return { id, direct, sessionKey: sessionKey ?? '' };
}

async function sandboxOf(url: string, key: string, id: string) {
  const [sandbox] = z.array(sandboxSchema).parse(await call(`${url}/api/v1/sandboxes?id=${id}`, key));
  if (sandbox === undefined) throw new Error('The sandbox is not known.');
  return sandbox;
}

async function call(url: string, key: string, method = 'GET'): Promise<unknown> {
  const response = await fetch(url, { method, headers: { 'X-Access-Token': key } });
  return response.json();
}

/** Measures alternately, so that other load on the machine affects all alike; the median of the rounds counts. */
async function alternately<Result>(
  ways: Ways,
  measure: (way: Way) => Promise<Result>,
): Promise<Record<Name, Result[]>> {
  const results: Record<Name, Result[]> = { direct: [], bare: [], door: [] };
  for (let number = 0; number < ROUNDS; number++)
    for (const name of NAMES) results[name].push(await measure(ways[name]));
  return results;
}

async function compare(ways: Ways, connections: number) {
  const turns = await alternately(ways, (way) => turn(way, connections, SECONDS));
  const median = (name: Name, of: keyof Turn): number =>
    quantile(
      turns[name].map((each) => each[of]),
      0.5,
    );
  const statistics = (name: Name): Turn => ({
    perSecond: Math.round(median(name, 'perSecond')),
    cpuMicroseconds: median(name, 'cpuMicroseconds'),
    p50: median(name, 'p50'),
    p99: median(name, 'p99'),
  });
  return {
    direct: statistics('direct'),
    bare: statistics('bare'),
    door: statistics('door'),
    shareOfBare: round(median('door', 'perSecond') / median('bare', 'perSecond')),
    addedMsToDirectAtP50: round(median('door', 'p50') - median('direct', 'p50')),
    addedMsToBareAtP50: round(median('door', 'p50') - median('bare', 'p50')),
  };
}

interface Turn {
  readonly perSecond: number;
  /** Processor time of what is in between for one request: what other load does not change much. */
  readonly cpuMicroseconds: number;
  readonly p50: number;
  readonly p99: number;
}

async function turn(way: Way, connections: number, seconds: number): Promise<Turn> {
  const { origin, prefix, headers } = way;
  const pool = new Pool(origin, { connections });
  const times: number[] = [];
  const cpuBefore = processorMs(way.process?.pid);
  const beganAt = performance.now();
  const end = beganAt + seconds * 1_000;
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const sentAt = performance.now();
      const { statusCode, body } = await pool.request({ method: 'GET', path: `${prefix}/small`, headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${origin} answered ${statusCode}`);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  const elapsed = (performance.now() - beganAt) / 1_000;
  await pool.close();
  return {
    perSecond: times.length / elapsed,
    cpuMicroseconds: Math.round(((processorMs(way.process?.pid) - cpuBefore) * 1_000) / times.length),
    p50: round(quantile(times, 0.5)),
    p99: round(quantile(times, 0.99)),
  };
}

async function compareDownloads(ways: Ways) {
  const turns = await alternately(ways, download);
  const median = (name: Name): number => Math.round(quantile(turns[name], 0.5));
  return { direct: median('direct'), bare: median('bare'), door: median('door') };
}

async function download({ origin, prefix, headers }: Way): Promise<number> {
  const pool = new Pool(origin, { connections: 1 });
  const beganAt = performance.now();
  const { body } = await pool.request({ method: 'GET', path: `${prefix}/large/${MEBIBYTES}`, headers });
  let bytes = 0;
  body.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await new Promise((resolve, reject) => body.once('end', resolve).once('error', reject));
  const seconds = (performance.now() - beganAt) / 1_000;
  await pool.close();
  if (bytes !== MEBIBYTES * 1024 * 1024) throw new Error(`${origin} sent ${bytes} bytes`);
  return bytes / 1_000_000 / seconds;
}

/** What a WebSocket that says nothing takes of the memory of what is in between. */
async function kilobytesPerSocket({ origin, prefix, headers, process: between }: Way): Promise<number> {
  if (between === null) throw new Error('There is nothing in between.');
  const open = (): Promise<WebSocket> =>
    new Promise((resolve, reject) => {
      const address = `${origin.replace('http', 'ws')}${prefix}/sockets/events/none`;
      const socket = new WebSocket(address, { headers, perMessageDeflate: false });
      socket.once('open', () => resolve(socket)).once('error', reject);
    });
  // The first ones pay for code and buffers that stay.
  const first = await inTurn(100, open);
  await sleep(SETTLE_MS);
  const before = residentKilobytes(between);
  const sockets = await inTurn(SOCKETS, open);
  await sleep(SETTLE_MS);
  const after = residentKilobytes(between);
  for (const socket of [...first, ...sockets]) socket.terminate();
  await sleep(1_000);
  return round((after - before) / SOCKETS);
}

async function inTurn<Result>(count: number, make: () => Promise<Result>): Promise<Result[]> {
  const made: Result[] = [];
  for (let number = 0; number < count; number++) made.push(await make());
  return made;
}

function residentKilobytes({ pid }: ChildProcess): number {
  const [, kilobytes = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds().catch(() => false))) {
    if (Date.now() > deadline) throw new Error('The servers of the benchmark did not start.');
    await sleep(100);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
