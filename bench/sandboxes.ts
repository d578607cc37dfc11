/**
 * How long a conversation takes from its request to READY in a container that has to be made and in one that was made
 * ahead (`SANDBOX_WARM`), and how long its sandbox takes to be paused and to be resumed. Containers are those of
 * `SANDBOX_IMAGE` at `DOCKER_HOST`, or, without it, of a small image on an engine that `CONTAINER_KIT` starts. Measures the
 * build: run `npm run build` first, as root.
 *
 *   npm run bench -- sandboxes [--rounds 15]
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EMBEDDED_ENTRYPOINT, makeEmbeddedRoot } from '../scripts/images/embedded-root';
import { ContainerEngine } from '../test/support/containers/container-engine';
import { ConversationClient } from '../test/support/service/conversation-client';
import { freePort } from '../test/support/service/free-port';
import type { ErrorBody } from '../test/support/service/http';
import { options } from './options';
import { report } from './report';

const { rounds: ROUNDS } = options({ rounds: 15 });
const ROOT = join(__dirname, '..');
const SMALL_IMAGE = 'agent-server:embedded';
const POLL_MS = 10;
/** For a container to be made ahead after one was claimed. */
const REPLENISH_MS = 12_000;

interface Round {
  readonly ready: number;
  readonly pause: number;
  readonly resume: number;
}

interface Place {
  readonly host: string;
  readonly env: Record<string, string>;
}

async function measure(place: Place, warm: number): Promise<Round[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-sandboxes-'));
  const port = await freePort();
  const url = `http://${place.host}:${port}`;
  const service = spawn('npm', ['start'], {
    cwd: ROOT,
    env: {
      ...{
        ...process.env,
        ...place.env,
        SANDBOX_DRIVER: 'docker',
        SANDBOX_WARM: String(warm),
        LLM_MODEL: 'echo',
      },
      ...{ HOST: place.host, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  try {
    while (!(await isReady(url))) await sleep(POLL_MS);
    const key = (await readFile(join(dataDir, 'owner.key'), 'utf8')).trim();
    const client = new ConversationClient({ url }, key);
    const rounds: Round[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      if (warm > 0) await sleep(REPLENISH_MS);
      rounds.push(await playRound(client));
    }
    return rounds;
  } finally {
    service.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function playRound(client: ConversationClient): Promise<Round> {
  const asked = performance.now();
  const task = await client.ended((await client.begin()).id);
  const ready = performance.now() - asked;
  const sandbox = `/api/v1/sandboxes/${task.sandbox_id}`;
  const message = { role: 'user', content: [{ type: 'text', text: 'Hello' }] };
  const pausing = performance.now();
  await client.call('POST', `${sandbox}/pause`);
  const isPaused = async (): Promise<boolean> => {
    const path = `/api/v1/app-conversations/${task.app_conversation_id ?? ''}/send-message`;
    const { body } = await client.call<ErrorBody>('POST', path, { body: message });
    return body.detail.includes('is PAUSED');
  };
  while (!(await isPaused())) await sleep(POLL_MS);
  const pause = performance.now() - pausing;
  const resuming = performance.now();
  await client.call('POST', `${sandbox}/resume`);
  const isRunning = async (): Promise<boolean> => {
    const { body } = await client.call<{ status: string }[]>(
      'GET',
      `/api/v1/sandboxes?id=${task.sandbox_id}`,
    );
    return body[0]?.status === 'RUNNING';
  };
  while (!(await isRunning())) await sleep(POLL_MS);
  const resume = performance.now() - resuming;
  await client.call('DELETE', sandbox);
  return { ready, pause, resume };
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/ready`).then(
    (response) => response.ok,
    () => false,
  );
}

function summary(rounds: readonly Round[]): Record<string, unknown> {
  const of = (what: (round: Round) => number): Record<string, number> => {
    const sorted = rounds.map(what).sort((a, b) => a - b);
    const at = (index: number): number => Math.round(sorted[index] ?? NaN);
    return { best: at(0), median: at(Math.floor(sorted.length / 2)), worst: at(sorted.length - 1) };
  };
  return {
    readyMs: of(({ ready }) => ready),
    pauseMs: of(({ pause }) => pause),
    resumeMs: of(({ resume }) => resume),
  };
}

async function main(): Promise<void> {
  const given = process.env.SANDBOX_IMAGE;
  const engine = given === undefined ? await ContainerEngine.startEmpty() : null;
  try {
    const place = engine === null ? givenPlace() : await smallPlace(engine);
    const cold = summary(await measure(place, 0));
    const warm = summary(await measure(place, 1));
    report(given === undefined ? 'sandboxes' : 'sandboxes-real', {
      image: given ?? SMALL_IMAGE,
      rounds: ROUNDS,
      cold,
      warm,
    });
  } finally {
    await engine?.stop();
  }
}

/** The engine's host has to be named where no kit starts one. */
function givenPlace(): Place {
  const { BENCH_HOST: host } = process.env;
  if (host === undefined)
    throw new Error('BENCH_HOST: the address of this machine that containers reach is missing.');
  return { host, env: {} };
}

async function smallPlace(engine: ContainerEngine): Promise<Place> {
  const root = await makeEmbeddedRoot(join(ROOT, 'dist'), ROOT);
  await engine.importRoot(SMALL_IMAGE, root, EMBEDDED_ENTRYPOINT);
  await rm(root, { recursive: true, force: true });
  return {
    host: await engine.hostAddress(),
    env: { DOCKER_HOST: engine.address, SANDBOX_IMAGE: SMALL_IMAGE },
  };
}

void main();
