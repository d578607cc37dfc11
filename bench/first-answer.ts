/**
 * From sending a message to the first words of a scripted model: of a new conversation, and of one whose sandbox is paused;
 * with nothing started ahead (`cold`) and with one agent server (`warm`). Then the memory of an agent server that waits, of one
 * that has answered, and of each of several. Sandboxes are processes of this machine: embedded agent servers, and real ones that
 * are forked or start afresh; or real ones in containers or pods, for which `CONTAINER_KIT` is needed, and `KUBERNETES_KIT`.
 * Measures the build: run `npm run build` first, as root.
 *
 *   npm run bench -- first-answer [--rounds 5]
 *   STORY_DRIVER=docker npm run bench -- first-answer
 *   STORY_DRIVER=kubernetes npm run bench -- first-answer
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentServerVersion } from '../scripts/agent-server-environment';
import { forkServerOf, startedBy } from '../test/support/agent-server/started-processes';
import { ScriptedModel } from '../test/support/model/scripted-model';
import { saying } from '../test/support/queue/queued-messages';
import { ConversationClient } from '../test/support/service/conversation-client';
import { freePort } from '../test/support/service/free-port';
import { StreamReader } from '../test/support/streams/stream-reader';
import { type Memory, memoryOf, processesOf } from './first-answer/memory';
import { type Place, placesToMeasure } from './first-answer/places';
import { options } from './options';
import { quantile } from './org-list-load';
import { report } from './report';

const { rounds: ROUNDS } = options({ rounds: 5 });
const ROOT = join(__dirname, '..');
const POLL_MS = 10;
const PATIENCE_MS = 300_000;
/** So many sandboxes share what they share. */
const SEVERAL = 3;

interface Round {
  readonly newMs: number;
  readonly resumedMs: number;
  readonly running: Memory;
  readonly waiting: Memory | null;
}

/** A service, and who waits for words. */
interface Running {
  readonly place: Place;
  readonly dataDir: string;
  readonly url: string;
  readonly port: number;
  readonly key: string;
  readonly client: ConversationClient;
  /** How many agent servers wait. */
  readonly ahead: number;
}

async function withService<Result>(
  place: Place,
  ahead: number,
  act: (running: Running) => Promise<Result>,
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-first-answer-'));
  // Sandboxes have users of their own.
  await chmod(dataDir, 0o755);
  const model = await ScriptedModel.start(place.host);
  const port = await freePort();
  const url = `http://${place.host}:${port}`;
  const service = spawn(process.execPath, [join(ROOT, 'dist', 'main.js')], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'warn',
      ...place.env,
      HOST: place.host,
      PORT: String(port),
      DATA_DIR: dataDir,
      SANDBOX_WARM: String(ahead),
      LLM_MODEL: 'openai/scripted',
      LLM_BASE_URL: model.baseUrl,
      LLM_API_KEY: 'scripted',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  try {
    await until(() => answers(`${url}/ready`));
    const key = (await readFile(join(dataDir, 'owner.key'), 'utf8')).trim();
    const client = new ConversationClient({ url }, key, PATIENCE_MS);
    return await act({ place, dataDir, url, port, key, client, ahead });
  } finally {
    service.kill('SIGTERM');
    await ended;
    await model.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function measure(place: Place, ahead: number): Promise<Record<string, unknown>> {
  return withService(place, ahead, async (running) => {
    // What is read from a disk or imported once is there then.
    await playRound(running);
    const rounds: Round[] = [];
    for (let n = 0; n < ROUNDS; n++) rounds.push(await playRound(running));
    return {
      newMs: summary(rounds.map(({ newMs }) => newMs)),
      resumedMs: summary(rounds.map(({ resumedMs }) => resumedMs)),
      memoryMebibytes: {
        running: middle(rounds.map((round) => round.running)),
        ...(ahead > 0
          ? { waiting: middle(rounds.flatMap(({ waiting }) => waiting ?? [])) }
          : await several(running)),
      },
    };
  });
}

async function playRound(running: Running): Promise<Round> {
  const { client, place, dataDir } = running;
  const waiting = await readyAhead(running);
  const { id, sandbox, newMs } = await converse(running);
  const mark = await place.mark(sandbox, dataDir);
  const used = await memoryOf(await processesOf(mark));
  await client.call('POST', `/api/v1/sandboxes/${sandbox}/pause`);
  await until(async () => (await client.record(id)).sandbox_status === 'PAUSED');
  await until(async () => (await processesOf(mark)).length === 0);
  await readyAhead(running);
  const stream = await openStream(running, id);
  const sent = performance.now();
  await client.call('POST', `/api/v1/app-conversations/${id}/send-message?wait=resume`, {
    body: saying('second'),
  });
  await firstWord(stream);
  const resumedMs = performance.now() - sent;
  await remove(running, sandbox);
  return { newMs, resumedMs, running: used, waiting };
}

/** Begins a conversation. @returns how long its first word took, when all of its first answer is there */
async function converse(running: Running): Promise<{ id: string; sandbox: string; newMs: number }> {
  const { client } = running;
  const id = randomUUID();
  const began = performance.now();
  const task = await client.begin({ conversation_id: id, initial_message: saying('first') });
  await firstWord(await openStream(running, id));
  const newMs = performance.now() - began;
  const { sandbox_id: sandbox } = await client.ended(task.id);
  await client.texts(id, 'agent', 1);
  return { id, sandbox, newMs };
}

/** Waits until an agent server waits that takes a sandbox. @returns its memory; null where there is to be none */
async function readyAhead({ place, dataDir, ahead }: Running): Promise<Memory | null> {
  if (ahead === 0) return null;
  const found: Memory[] = [];
  await until(async () => {
    const [one] = await place.ahead(dataDir);
    if (one === undefined || !(await answers(`${one.url}/ready`))) return false;
    found.push(await memoryOf(await processesOf(one.mark)));
    return true;
  });
  return found[0] ?? null;
}

/** Memory where several sandboxes run. */
async function several(running: Running): Promise<Record<string, unknown>> {
  const { place, dataDir, port } = running;
  const sandboxes: string[] = [];
  while (sandboxes.length < SEVERAL) sandboxes.push((await converse(running)).sandbox);
  const marks = await Promise.all(sandboxes.map((id) => place.mark(id, dataDir)));
  const each = await Promise.all(marks.map(async (mark) => memoryOf(await processesOf(mark))));
  const server = forkServerOf(await startedBy(port));
  const forkServer = server === undefined ? null : await memoryOf([server.pid]);
  for (const id of sandboxes) await remove(running, id);
  return { eachOfThree: middle(each), ...(forkServer && { forkServer }) };
}

async function remove({ client }: Running, sandbox: string): Promise<void> {
  await client.call('DELETE', `/api/v1/sandboxes/${sandbox}`);
  // A service that is stopped before leaves it behind.
  await until(async () => {
    const { body } = await client.call<{ status: string }[]>('GET', `/api/v1/sandboxes?id=${sandbox}`);
    return body[0]?.status === 'MISSING';
  });
}

function openStream({ url, key }: Running, id: string): Promise<StreamReader> {
  return StreamReader.open(`${url}/api/v1/conversation/${id}/events/stream`, { key });
}

/** Waits until a stream has a word that a model says, or all of them where they do not come one by one, and closes it. */
async function firstWord(stream: StreamReader): Promise<void> {
  try {
    await until(() =>
      Promise.resolve(
        stream.messages.some(
          ({ kind, source }) =>
            kind === 'StreamingDeltaEvent' || (kind === 'MessageEvent' && source === 'agent'),
        ),
      ),
    );
  } finally {
    stream.close();
  }
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`It took longer than ${PATIENCE_MS} ms.`);
    await sleep(POLL_MS);
  }
}

function summary(values: readonly number[]): Record<string, number> {
  return { p50: Math.round(quantile(values, 0.5)), p90: Math.round(quantile(values, 0.9)) };
}

function middle(memories: readonly Memory[]): Memory {
  const of = (what: keyof Memory): number =>
    quantile(
      memories.map((memory) => memory[what]),
      0.5,
    );
  return { own: of('own'), proportional: of('proportional') };
}

async function main(): Promise<void> {
  const { STORY_DRIVER: driver } = process.env;
  const { places, close } = await placesToMeasure();
  try {
    const measured: Record<string, unknown> = {};
    for (const place of places)
      measured[place.name] = { cold: await measure(place, 0), warm: await measure(place, 1) };
    const name = driver === undefined ? 'first-answer' : `first-answer-${driver}`;
    report(name, { agentServer: agentServerVersion(), rounds: ROUNDS, ...measured });
  } finally {
    await close();
  }
}

void main();
