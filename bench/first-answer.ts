/**
 * From sending a message to the first words of a scripted model, with the real agent server as processes of this host: of a
 * new conversation, and of one whose sandbox is paused; with agent servers that are forked, and ones that start afresh. Then
 * the memory that a sandbox has of its own. Measures the build: run `npm run build` first, as root.
 *
 *   npm run bench -- first-answer [--rounds 10]
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentServerVersion, ensureAgentServer } from '../scripts/agent-server-environment';
import { ScriptedModel } from '../test/support/model/scripted-model';
import { saying } from '../test/support/queue/queued-messages';
import { ConversationClient } from '../test/support/service/conversation-client';
import { freePort } from '../test/support/service/free-port';
import { StreamReader } from '../test/support/streams/stream-reader';
import { options } from './options';
import { quantile } from './org-list-load';
import { report } from './report';

const { rounds: ROUNDS } = options({ rounds: 10 });
const ROOT = join(__dirname, '..');
const POLL_MS = 10;
const PATIENCE_MS = 120_000;
/** For a fork server to have imported all. */
const IMPORT_MS = 20_000;

interface Round {
  readonly newMs: number;
  readonly resumedMs: number;
  /** MiB. */
  readonly memory: number;
}

/** Who waits for words. */
interface Person {
  readonly url: string;
  readonly key: string;
  readonly client: ConversationClient;
}

async function measure(command: string, model: ScriptedModel): Promise<Record<string, unknown>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-first-answer-'));
  // Sandboxes have users of their own.
  await chmod(dataDir, 0o755);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = spawn(process.execPath, [join(ROOT, 'dist', 'main.js')], {
    cwd: ROOT,
    env: {
      ...{ PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
      ...{ SANDBOX_DRIVER: 'process', AGENT_SERVER_COMMAND: command },
      ...{ LLM_MODEL: 'openai/scripted', LLM_BASE_URL: model.baseUrl, LLM_API_KEY: 'scripted' },
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  try {
    const isReady = (): Promise<boolean> =>
      fetch(`${url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isReady())) await sleep(POLL_MS);
    const key = (await readFile(join(dataDir, 'owner.key'), 'utf8')).trim();
    const person = { url, key, client: new ConversationClient({ url }, key, PATIENCE_MS) };
    await sleep(IMPORT_MS);
    const rounds: Round[] = [];
    for (let n = 0; n < ROUNDS; n++) rounds.push(await playRound(person, dataDir));
    return {
      newMs: summary(rounds.map(({ newMs }) => newMs)),
      resumedMs: summary(rounds.map(({ resumedMs }) => resumedMs)),
      memoryMebibytes: summary(rounds.map(({ memory }) => memory)),
    };
  } finally {
    service.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function playRound(person: Person, dataDir: string): Promise<Round> {
  const { client } = person;
  const id = randomUUID();
  const began = performance.now();
  const task = await client.begin({ conversation_id: id, initial_message: saying('first') });
  await firstWord(await openStream(person, id));
  const newMs = performance.now() - began;
  const { sandbox_id: sandbox } = await client.ended(task.id);
  await client.texts(id, 'agent', 1);
  const memory = await memoryOf(dataDir, sandbox);
  await client.call('POST', `/api/v1/sandboxes/${sandbox}/pause`);
  while ((await client.record(id)).sandbox_status !== 'PAUSED') await sleep(POLL_MS);
  const stream = await openStream(person, id);
  const sent = performance.now();
  await client.call('POST', `/api/v1/app-conversations/${id}/send-message?wait=resume`, {
    body: saying('second'),
  });
  await firstWord(stream);
  const resumedMs = performance.now() - sent;
  await client.call('DELETE', `/api/v1/sandboxes/${sandbox}`);
  // A service that is stopped before leaves it behind.
  while ((await client.record(id)).sandbox_status !== 'MISSING') await sleep(POLL_MS);
  return { newMs, resumedMs, memory };
}

function openStream({ url, key }: Person, id: string): Promise<StreamReader> {
  return StreamReader.open(`${url}/api/v1/conversation/${id}/events/stream?kind=StreamingDeltaEvent`, {
    key,
  });
}

/** Waits until a stream has a word that a model says, and closes it. */
async function firstWord(stream: StreamReader): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  try {
    while (!stream.messages.some(({ kind }) => kind === 'StreamingDeltaEvent')) {
      if (performance.now() > until) throw new Error('There is no answer.');
      await sleep(POLL_MS);
    }
  } finally {
    stream.close();
  }
}

/** What the processes of a sandbox's user have for themselves, in MiB. */
async function memoryOf(dataDir: string, sandbox: string): Promise<number> {
  const note = await readFile(join(dataDir, 'sandboxes', 'process', `${sandbox}.json`), 'utf8');
  const { uid } = JSON.parse(note) as { uid: number };
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const read = (name: string): Promise<string> =>
        readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
      if (!(await read('status')).includes(`Uid:\t${uid}\t`)) return 0;
      const own = (await read('smaps_rollup')).matchAll(/^Private_\w+:\s+(\d+)/gm);
      return [...own].reduce((sum, [, size]) => sum + Number(size), 0);
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1_024;
}

function summary(values: readonly number[]): Record<string, number> {
  return { p50: Math.round(quantile(values, 0.5)), p90: Math.round(quantile(values, 0.9)) };
}

async function main(): Promise<void> {
  const { command } = await ensureAgentServer();
  const folder = await mkdtemp(join(tmpdir(), 'bench-command-'));
  await chmod(folder, 0o755);
  // Nothing in it says that Python could import it before.
  const afresh = join(folder, 'agent-server');
  await writeFile(afresh, `#!/bin/sh\nexec '${command}' "$@"\n`, { mode: 0o755 });
  const model = await ScriptedModel.start();
  try {
    const forked = await measure(command, model);
    report('first-answer', {
      agentServer: agentServerVersion(),
      rounds: ROUNDS,
      forked,
      afresh: await measure(afresh, model),
    });
  } finally {
    await model.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

void main();
