/**
 * How long a conversation takes from its request to READY in a container that has to be made and in one that was made
 * ahead (`SANDBOX_WARM`), and how long its sandbox takes to be paused and to be resumed; then many sandboxes at once.
 * Containers are those of `SANDBOX_IMAGE` at `DOCKER_HOST`, or, without it, of a small image on an engine that `CONTAINER_KIT`
 * starts. With `--processes 1` sandboxes are processes instead: of `AGENT_SERVER_COMMAND`, or of the embedded agent server.
 * Measures the build: run `npm run build` first, as root. An agent server that takes long to start needs a longer pause
 * before each round with one pre-warmed (`--replenish`, seconds).
 *
 *   npm run bench -- sandboxes [--rounds 15] [--sandboxes 90] [--processes 1] [--replenish 12]
 */
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EMBEDDED_ENTRYPOINT, makeEmbeddedRoot } from '../scripts/images/embedded-root';
import { startOf } from '../src/kernel/common';
import { readSettings } from '../src/kernel/config';
import { Engine } from '../src/drivers/docker/engine';
import { ContainerEngine } from '../test/support/containers/container-engine';
import { ConversationClient } from '../test/support/service/conversation-client';
import { freePort } from '../test/support/service/free-port';
import { options } from './options';
import { quantile } from './org-list-load';
import { report } from './report';

const {
  rounds: ROUNDS,
  sandboxes: SANDBOXES,
  processes: PROCESSES,
  replenish: REPLENISH_SECONDS,
} = options({ rounds: 15, sandboxes: 90, processes: 0, replenish: 12 });
const ROOT = join(__dirname, '..');
const SMALL_IMAGE = 'agent-server:embedded';
const POLL_MS = 10;
const PATIENCE_MS = 600_000;
/** For a container to be pre-warmed after one was claimed, or to be removed where none is wanted any more. */
const REPLENISH_MS = REPLENISH_SECONDS * 1_000;

interface Round {
  readonly ready: number;
  readonly pause: number;
  readonly resume: number;
}

interface Place {
  readonly host: string;
  readonly env: Record<string, string>;
  /** What is measured, as in the name of the report. */
  readonly name: string;
  /** Whether a sandbox runs, as what it runs on says. */
  readonly runs: (sandboxId: string, dataDir: string) => Promise<boolean>;
}

/** A service that runs, and whoever asks it. */
interface Running {
  readonly client: ConversationClient;
  readonly pid: number;
}

type Env = Record<string, string>;

async function withService<Result>(
  place: Place & { readonly dataDir: string },
  env: Env,
  act: (running: Running) => Promise<Result>,
): Promise<Result> {
  const { host, dataDir } = place;
  const port = await freePort();
  const url = `http://${host}:${port}`;
  const service = spawn(process.execPath, [join(ROOT, 'dist', 'main.js')], {
    cwd: ROOT,
    env: {
      ...process.env,
      LLM_MODEL: 'echo',
      ...place.env,
      ...env,
      HOST: host,
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  try {
    while (!(await isReady(url))) await sleep(POLL_MS);
    const key = (await readFile(join(dataDir, 'owner.key'), 'utf8')).trim();
    return await act({ client: new ConversationClient({ url }, key, PATIENCE_MS), pid: service.pid ?? 0 });
  } finally {
    service.kill('SIGTERM');
    await ended;
  }
}

async function withFolder<Result>(act: (dataDir: string) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-sandboxes-'));
  // Processes have users of their own.
  await chmod(dataDir, 0o755);
  try {
    return await act(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function measure(place: Place, warm: number): Promise<Round[]> {
  return withFolder(async (dataDir) => {
    const at = { ...place, dataDir };
    const rounds = await withService(at, { SANDBOX_WARM: String(warm) }, async ({ client }) => {
      const played: Round[] = [];
      for (let n = 0; n < ROUNDS; n++) {
        if (warm > 0) await sleep(REPLENISH_MS);
        played.push(await playRound(client, (id) => place.runs(id, dataDir)));
      }
      return played;
    });
    // Those that wait for a sandbox stay otherwise.
    if (warm > 0) await withService(at, { SANDBOX_WARM: '0' }, () => sleep(REPLENISH_MS));
    return rounds;
  });
}

/** Small ones, all asked for at once: until the last one runs, and what the service needs for them. */
function many(place: Place): Promise<Record<string, unknown>> {
  const env = {
    MAX_SANDBOXES: '1000',
    MAX_SANDBOXES_PER_ORG: '1000',
    SANDBOX_START_SECONDS: '600',
    SANDBOX_CPUS: '0.1',
    SANDBOX_MEMORY_MEBIBYTES: '128',
  };
  return withFolder((dataDir) =>
    withService({ ...place, dataDir }, env, async ({ client, pid }) => {
      const before = await memoryOf(pid);
      const asked = performance.now();
      const ids = await Promise.all(
        Array.from({ length: SANDBOXES }, async () => {
          const { body } = await client.call<{ id: string }>('POST', '/api/v1/sandboxes');
          await until(client, body.id, 'RUNNING');
          return body.id;
        }),
      );
      const seconds = Math.round((performance.now() - asked) / 100) / 10;
      const after = await memoryOf(pid);
      for (const id of ids) await client.call('DELETE', `/api/v1/sandboxes/${id}`);
      for (const id of ids) await until(client, id, 'MISSING');
      return { sandboxes: SANDBOXES, secondsUntilAllRun: seconds, memoryMebibytes: { before, after } };
    }),
  );
}

/** MiB of its resident memory. */
async function memoryOf(pid: number): Promise<number> {
  const pages = Number((await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]);
  return Math.round((pages * 4) / 1_024);
}

async function until(client: ConversationClient, id: string, status: string): Promise<void> {
  for (;;) {
    const { body } = await client.call<{ status: string; status_detail: string | null }[]>(
      'GET',
      `/api/v1/sandboxes?id=${id}`,
    );
    const [record] = body;
    if (record?.status === status) return;
    if (record?.status === 'ERROR') throw new Error(`Sandbox ${id}: ${record.status_detail}`);
    await sleep(POLL_MS);
  }
}

async function playRound(
  client: ConversationClient,
  runs: (sandboxId: string) => Promise<boolean>,
): Promise<Round> {
  const asked = performance.now();
  const task = await client.ended((await client.begin()).id);
  if (task.status !== 'READY') throw new Error(`The start is ${task.status}: ${task.detail}`);
  const ready = performance.now() - asked;
  const sandbox = `/api/v1/sandboxes/${task.sandbox_id}`;
  const pausing = performance.now();
  await client.call('POST', `${sandbox}/pause`);
  while (await runs(task.sandbox_id)) await sleep(POLL_MS);
  const pause = performance.now() - pausing;
  const resuming = performance.now();
  await client.call('POST', `${sandbox}/resume`);
  await until(client, task.sandbox_id, 'RUNNING');
  const resume = performance.now() - resuming;
  await client.call('DELETE', sandbox);
  await until(client, task.sandbox_id, 'MISSING');
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
    const times = rounds.map(what);
    return {
      p50: Math.round(quantile(times, 0.5)),
      p90: Math.round(quantile(times, 0.9)),
      max: Math.round(Math.max(...times)),
    };
  };
  return {
    readyMs: of(({ ready }) => ready),
    pauseMs: of(({ pause }) => pause),
    resumeMs: of(({ resume }) => resume),
  };
}

async function main(): Promise<void> {
  const given = process.env.SANDBOX_IMAGE;
  const isSmall = PROCESSES > 0 ? process.env.AGENT_SERVER_COMMAND === undefined : given === undefined;
  const engine = isSmall && PROCESSES === 0 ? await ContainerEngine.startEmpty() : null;
  try {
    const place =
      PROCESSES > 0
        ? processPlace(isSmall)
        : engine === null
          ? containerPlace('sandboxes-real', givenHost(), {})
          : await smallPlace(engine);
    const cold = summary(await measure(place, 0));
    const warm = summary(await measure(place, 1));
    report(place.name, {
      image: PROCESSES > 0 ? null : (given ?? SMALL_IMAGE),
      rounds: ROUNDS,
      cold,
      warm,
      ...(isSmall && { many: await many(place) }),
    });
  } finally {
    await engine?.stop();
  }
}

/** The engine's host has to be named where no kit starts one. */
function givenHost(): string {
  const { BENCH_HOST: host } = process.env;
  if (host === undefined)
    throw new Error('BENCH_HOST: the address of this machine that containers reach is missing.');
  return host;
}

function processPlace(isSmall: boolean): Place {
  const SANDBOX_DRIVER = isSmall ? 'embedded' : 'process';
  return {
    name: isSmall ? 'processes' : 'processes-real',
    host: '127.0.0.1',
    env: { SANDBOX_DRIVER },
    runs: async (sandboxId, dataDir) => {
      const note = await readFile(join(dataDir, 'sandboxes', SANDBOX_DRIVER, `${sandboxId}.json`), 'utf8');
      const { pid } = JSON.parse(note) as { pid: number };
      return (await startOf(pid)) !== null;
    },
  };
}

function containerPlace(name: string, host: string, env: Env): Place {
  const engine = new Engine(readSettings({ ...process.env, ...env }));
  return {
    name,
    host,
    env: { SANDBOX_DRIVER: 'docker', ...env },
    runs: async (sandboxId) => {
      const found = await engine.use((docker) => docker.getContainer(`sandbox-${sandboxId}`).inspect());
      return found.State.Running;
    },
  };
}

async function smallPlace(engine: ContainerEngine): Promise<Place> {
  const root = await makeEmbeddedRoot(join(ROOT, 'dist'), ROOT);
  await engine.importRoot(SMALL_IMAGE, root, EMBEDDED_ENTRYPOINT);
  await rm(root, { recursive: true, force: true });
  const env = { DOCKER_HOST: engine.address, SANDBOX_IMAGE: SMALL_IMAGE };
  return containerPlace('sandboxes', await engine.hostAddress(), env);
}

void main();
