/**
 * How long `npm start` takes until `/ready` responds with 200, on a first start in an empty `DATA_DIR` and on a
 * second, and how much memory the service's process and its embedded PostgreSQL use at rest.
 * Measures the build: run `npm run build` first.
 *
 *   npm run bench -- start-up [--rounds 5]
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { freePort } from '../test/support/service/free-port';
import { postgresProcessesIn } from '../src/appliance/embedded-postgres/process-table';
import { options } from './options';
import { report } from './report';

const { rounds: ROUNDS } = options({ rounds: 5 });
const REST_MS = 10_000;
const ROOT = join(__dirname, '..');

const runningSchema = z.object({ pid: z.number() });

interface Start {
  readonly readyMs: number;
  readonly stopMs: number;
  readonly serviceMiB: number;
  readonly postgresMiB: number;
}

async function start(dataDir: string, restMs: number): Promise<Start> {
  const port = await freePort();
  const began = performance.now();
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => npm.once('exit', resolve));
  while (!(await isReady(port))) await sleep(10);
  const readyMs = performance.now() - began;
  await sleep(restMs);
  const { pid } = runningSchema.parse(JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')));
  const serviceMiB = residentMiB(pid);
  const servers = await postgresProcessesIn(join(dataDir, 'postgres', 'data'));
  const postgresMiB = servers.map(proportionalMiB).reduce((sum, each) => sum + each, 0);
  const stopping = performance.now();
  npm.kill('SIGTERM');
  await ended;
  return { readyMs, stopMs: performance.now() - stopping, serviceMiB, postgresMiB };
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/ready`).then(
    (response) => response.status === 200,
    () => false,
  );
}

function residentMiB(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

/** Proportional set size, where the system has it (Linux): shared memory counts for each process in proportion. */
function proportionalMiB(pid: number): number {
  if (process.platform !== 'linux') return residentMiB(pid);
  try {
    const pss = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
    return Number(pss) / 1024;
  } catch {
    // A process of PostgreSQL that has ended since they were listed.
    return 0;
  }
}

function summary(starts: readonly Start[], what: (start: Start) => number) {
  const sorted = starts.map(what).sort((a, b) => a - b);
  const at = (index: number): number => Math.round(sorted[index] ?? NaN);
  return { best: at(0), median: at(Math.floor(sorted.length / 2)), worst: at(sorted.length - 1) };
}

async function main(): Promise<void> {
  const first: Start[] = [];
  const second: Start[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const dataDir = mkdtempSync(join(tmpdir(), 'bench-start-up-'));
    try {
      first.push(await start(dataDir, 0));
      second.push(await start(dataDir, REST_MS));
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  report('start-up', {
    rounds: ROUNDS,
    firstStartMs: summary(first, ({ readyMs }) => readyMs),
    secondStartMs: summary(second, ({ readyMs }) => readyMs),
    stopMs: summary(second, ({ stopMs }) => stopMs),
    serviceMiBAtRest: summary(second, ({ serviceMiB }) => serviceMiB),
    postgresMiBAtRest: summary(second, ({ postgresMiB }) => postgresMiB),
  });
}

void main();
