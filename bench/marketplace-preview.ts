/**
 * What a preview of marketplaces costs, over HTTP, with git servers on loopback:
 *  1. one of 60 plugins and 700 files, against `git clone --depth 1` of the same, from a server that answers
 *     at once and from one that takes 100 ms more for each response;
 *  2. 20 registrations in one call, against one after the other, from the slow server;
 *  3. the 99th percentile of another endpoint while 20 previews run, against none.
 * The service, the git server and the client are separate processes. In reality git servers run elsewhere, so here
 * they have low priority.
 *
 *   npm run bench -- marketplace-preview [--rounds 8]
 */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { startTestApp } from '../test/support/service/app';
import { makeCaller, makeOrg } from '../test/support/service/factories';
import { TestGitServer } from '../test/support/git/git-server';
import { largeMarketplace } from '../test/support/git/marketplaces';
import { startTestServer, stopTestServer } from '../test/support/service/test-server';
import { options } from './options';
import { report } from './report';

const SERVICE = 'service';
const GIT_SERVER = 'git-server';
const OTHER_ENDPOINT = '/api/organizations/app';
const DELAY_MS = 100;
const NICENESS_OF_OTHERS = 15;
const run = promisify(execFile);

const serviceSchema = z.object({ url: z.string(), key: z.string() });
const gitSchema = z.object({ host: z.string(), url: z.string() });
type Service = z.infer<typeof serviceSchema>;

interface Registration {
  readonly name: string;
  readonly source: string;
}

/** Starts the service in a process of its own. */
async function serve(): Promise<void> {
  const service = await startTestApp({
    env: {
      GIT_ALLOWED_HOSTS: process.env.GIT_ALLOWED_HOSTS ?? '',
      DATA_DIR: process.env.DATA_DIR ?? '',
      MARKETPLACE_CALL_SECONDS: '300',
    },
  });
  const org = await makeOrg(service.db);
  const { key } = await makeCaller(service.db, org.id, 'owner');
  process.send?.({ url: service.url, key });
  await once(process, 'message');
  await service.close();
  process.disconnect();
}

/** Linux schedules by session before it looks at priorities, so both are lowered. */
function giveWay(): void {
  setPriority(NICENESS_OF_OTHERS);
  if (process.platform === 'linux') appendFileSync('/proc/self/autogroup', String(NICENESS_OF_OTHERS));
}

/** Starts the git server in a process of its own; a message sets the delay of its responses. */
async function serveGit(): Promise<void> {
  giveWay();
  const git = await TestGitServer.start();
  await git.repository('market', largeMarketplace());
  process.on('message', (delayMs) => {
    if (typeof delayMs === 'number') git.behaviour = { delayMs };
    else void git.close().then(() => process.disconnect());
  });
  process.send?.({ host: git.host, url: git.url('market') });
}

async function preview(service: Service, registrations: readonly Registration[]): Promise<void> {
  const response = await fetch(`${service.url}/api/v1/skills/marketplace-skills`, {
    method: 'POST',
    headers: { 'X-Access-Token': service.key, 'Content-Type': 'application/json' },
    body: JSON.stringify(registrations),
  });
  const preview = z.object({ plugins: z.array(z.unknown()) }).parse(await response.json());
  if (preview.plugins.length !== 60 * registrations.length) throw new Error('The preview was incomplete.');
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Times both alternately, so that other load on the machine affects both. */
async function inTurn(
  rounds: number,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<{ one: number; other: number }> {
  const times: { one: number[]; other: number[] } = { one: [], other: [] };
  for (let round = 0; round < rounds; round += 1) {
    times.one.push(await timeOf(one));
    times.other.push(await timeOf(other));
  }
  return { one: quantile(times.one, 0.5), other: quantile(times.other, 0.5) };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** One request every 10 ms, whether or not the earlier ones are answered. */
async function pace(service: Service, isDone: () => boolean): Promise<number[]> {
  const calls: Promise<number>[] = [];
  const headers = { 'X-Access-Token': service.key };
  while (!isDone()) {
    calls.push(timeOf(async () => (await fetch(service.url + OTHER_ENDPOINT, { headers })).arrayBuffer()));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return Promise.all(calls);
}

async function measure(
  service: Service,
  source: string,
  setDelay: (delayMs: number) => void,
  folder: string,
  rounds: number,
) {
  const registration = (index: number) => ({ name: `m${index}`, source });
  const twenty = Array.from({ length: 20 }, (_, index) => registration(index));
  const clone = async () => {
    const target = await mkdtemp(join(folder, 'clone-'));
    await run('git', ['clone', '--quiet', '--depth', '1', source, target]);
  };
  const one = () => preview(service, [registration(0)]);
  await one();
  const atOnce = await inTurn(rounds, one, clone);
  setDelay(DELAY_MS);
  const delayed = await inTurn(rounds, one, clone);
  const many = await inTurn(
    Math.max(2, Math.ceil(rounds / 4)),
    () => preview(service, twenty),
    async () => {
      for (const each of twenty) await preview(service, [each]);
    },
  );
  const forMs = (ms: number) => {
    const end = performance.now() + ms;
    return () => performance.now() > end;
  };
  await pace(service, forMs(2_000));
  const alone = await pace(service, forMs(8_000));
  const state = { done: false };
  const during = pace(service, () => state.done);
  for (let wave = 0; wave < 2; wave += 1) await Promise.all(twenty.map((each) => preview(service, [each])));
  state.done = true;
  const busy = await during;
  return {
    oneMarketplace: { previewMs: round(atOnce.one), cloneMs: round(atOnce.other), ratio: ratio(atOnce) },
    oneWithSlowServer: {
      previewMs: round(delayed.one),
      cloneMs: round(delayed.other),
      ratio: ratio(delayed),
    },
    twentyRegistrations: { togetherMs: round(many.one), serialMs: round(many.other), ratio: ratio(many) },
    otherEndpoint: {
      path: OTHER_ENDPOINT,
      aloneMs: { p50: round(quantile(alone, 0.5)), p99: round(quantile(alone, 0.99)) },
      duringTwentyPreviewsMs: { p50: round(quantile(busy, 0.5)), p99: round(quantile(busy, 0.99)) },
    },
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function ratio({ one, other }: { one: number; other: number }): number {
  return Math.round((one / other) * 100) / 100;
}

async function main(): Promise<void> {
  const { rounds } = options({ rounds: 8 });
  const folder = await mkdtemp(join(tmpdir(), 'bench-marketplaces-'));
  await startTestServer();
  const gitServer = fork(__filename, [GIT_SERVER], { execArgv: process.execArgv, detached: true });
  try {
    const git = gitSchema.parse(await firstMessage(gitServer));
    const child = fork(__filename, [SERVICE], {
      execArgv: process.execArgv,
      env: { ...process.env, GIT_ALLOWED_HOSTS: git.host, DATA_DIR: folder },
    });
    const service = serviceSchema.parse(await firstMessage(child));
    const setDelay = (delayMs: number) => gitServer.send(delayMs);
    const result = await measure(service, git.url, setDelay, folder, rounds);
    child.send('stop');
    await once(child, 'exit');
    const { stdout } = await run('git', ['--version']);
    report('marketplace-preview', { rounds, git: stdout.trim().replace('git version ', ''), ...result });
  } finally {
    gitServer.send('stop');
    await stopTestServer();
    await rm(folder, { recursive: true, force: true });
  }
}

async function firstMessage(child: ChildProcess): Promise<unknown> {
  return z.tuple([z.unknown(), z.unknown()]).parse(await once(child, 'message'))[0];
}

void (process.argv[2] === SERVICE ? serve() : process.argv[2] === GIT_SERVER ? serveGit() : main());
