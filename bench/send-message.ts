/**
 * Send-message through the service, compared with the same call made directly, and through bare proxies with the same
 * look-ups: one that reads keys and roles each time, and one that caches them as the service does. Requests per
 * second and latency at 1 and 16 connections, measured alternately in one run.
 *
 *   npm run bench -- send-message [--seconds 4] [--rounds 3]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { z } from 'zod';
import { newKey } from '../src/accounts/api-keys/keys/key-format';
import { freePort } from '../test/support/service/free-port';
import { options } from './options';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const { seconds: SECONDS, rounds: ROUNDS } = options({ seconds: 4, rounds: 3 });
/** Warm-up: a service runs for weeks, so only compiled code is measured. */
const WARM_UP_SECONDS = 8;
const ROOT = join(__dirname, '..');
const BODY = JSON.stringify({ content: [{ type: 'text', text: 'Now run the tests again, please.' }] });

interface Turn {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

interface Way {
  readonly name: 'direct' | 'bare' | 'remembering' | 'service';
  readonly origin: string;
  readonly path: string;
  readonly headers: Record<string, string>;
}

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-send-'));
  const children: ChildProcess[] = [];
  const [agentPort, port] = [await freePort(), await freePort()];
  const [barePort, rememberingPort] = [await freePort(), await freePort()];
  const agentUrl = `http://127.0.0.1:${agentPort}`;
  const url = `http://127.0.0.1:${port}`;
  const key = newKey();
  const program = (args: string[], env: Record<string, string>): void => {
    children.push(
      spawn(process.execPath, args, {
        cwd: ROOT,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    );
  };
  const typescript = ['--require', '@swc-node/register'];
  try {
    program([...typescript, join(__dirname, 'send-message', 'agent-server.ts')], { PORT: String(agentPort) });
    program([join(ROOT, 'scripts', 'start.mjs')], {
      PORT: String(port),
      DATA_DIR: dataDir,
      BOOTSTRAP_KEY: key,
      SANDBOX_DRIVER: 'external',
      AGENT_SERVER_URL: agentUrl,
      AGENT_SERVER_API_KEY: 'bench',
      LLM_MODEL: 'bench',
      ...UNLIMITED,
    });
    await until(async () => (await fetch(`${url}/ready`)).ok);
    const { url: databaseUrl } = z
      .object({ url: z.string() })
      .parse(JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')));
    for (const [proxyPort, ms] of [
      [barePort, 0],
      [rememberingPort, 900],
    ] as const)
      program([...typescript, join(__dirname, 'send-message', 'bare-proxy.ts')], {
        PORT: String(proxyPort),
        DATABASE_URL: databaseUrl,
        AGENT_SERVER_URL: agentUrl,
        REMEMBERED_MS: String(ms),
      });
    const id = await readyConversation(url, key);
    const own = { 'X-Access-Token': key, 'Content-Type': 'application/json' };
    const path = `/api/v1/app-conversations/${id}/send-message`;
    const ways: Way[] = [
      {
        name: 'direct',
        origin: agentUrl,
        path: `/api/conversations/${id}/events`,
        headers: { 'X-Session-API-Key': 'bench', 'Content-Type': 'application/json' },
      },
      { name: 'bare', origin: `http://127.0.0.1:${barePort}`, path, headers: own },
      { name: 'remembering', origin: `http://127.0.0.1:${rememberingPort}`, path, headers: own },
      { name: 'service', origin: url, path, headers: own },
    ];
    for (const way of ways) await turn(way, 16, WARM_UP_SECONDS);
    const results = { at1Connection: await compare(ways, 1), at16Connections: await compare(ways, 16) };
    report('send-message', { secondsPerTurn: SECONDS, rounds: ROUNDS, results });
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(
      children.map(
        (child) =>
          new Promise((resolve) => (child.exitCode === null ? child.once('exit', resolve) : resolve(null))),
      ),
    );
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function readyConversation(url: string, key: string): Promise<string> {
  const headers = { 'X-Access-Token': key, 'Content-Type': 'application/json' };
  const started = await fetch(`${url}/api/v1/app-conversations`, { method: 'POST', headers, body: '{}' });
  const { id } = z.object({ id: z.string() }).parse(await started.json());
  let conversationId = '';
  await until(async () => {
    const response = await fetch(`${url}/api/v1/app-conversations/start-tasks?ids=${id}`, { headers });
    const [task] = z
      .array(z.object({ status: z.string(), app_conversation_id: z.string().nullable() }))
      .parse(await response.json());
    conversationId = task?.app_conversation_id ?? '';
    return task?.status === 'READY';
  });
  return conversationId;
}

/** Measures alternately, so that other load on the machine affects all alike; the median of the rounds counts. */
async function compare(ways: readonly Way[], connections: number): Promise<unknown> {
  const turns: Record<Way['name'], Turn[]> = { direct: [], bare: [], remembering: [], service: [] };
  for (let round = 0; round < ROUNDS; round++)
    for (const way of ways) turns[way.name].push(await turn(way, connections, SECONDS));
  const median = (name: Way['name'], of: keyof Turn): number => {
    const sorted = turns[name].map((each) => each[of]).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
  const statistics = (name: Way['name']): Turn => ({
    perSecond: Math.round(median(name, 'perSecond')),
    p50: median(name, 'p50'),
    p99: median(name, 'p99'),
  });
  return {
    direct: statistics('direct'),
    bare: statistics('bare'),
    remembering: statistics('remembering'),
    service: statistics('service'),
    shareOfBare: round(median('service', 'perSecond') / median('bare', 'perSecond')),
    shareOfRemembering: round(median('service', 'perSecond') / median('remembering', 'perSecond')),
    addedMsAtP50: round(median('service', 'p50') - median('direct', 'p50')),
  };
}

async function turn({ origin, path, headers }: Way, connections: number, seconds: number): Promise<Turn> {
  const pool = new Pool(origin, { connections });
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  const began = performance.now();
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const sent = performance.now();
      const { statusCode, body } = await pool.request({ method: 'POST', path, headers, body: BODY });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${origin} answered ${statusCode}`);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  const elapsed = (performance.now() - began) / 1000;
  await pool.close();
  times.sort((a, b) => a - b);
  const at = (share: number): number => round(times[Math.floor(times.length * share)] ?? 0);
  return { perSecond: times.length / elapsed, p50: at(0.5), p99: at(0.99) };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds().catch(() => false))) {
    if (Date.now() > deadline) throw new Error('The servers of the benchmark did not start.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
