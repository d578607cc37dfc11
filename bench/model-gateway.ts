/**
 * The gateway for models, compared with a bare proxy of undici and with the provider itself, measured alternately in one run:
 * chats a second at 32 connections, latency at one, and the first byte of a stream. The provider answers at once, as none
 * does. Needs the built service (`npm run build`).
 *
 *   npm run bench -- model-gateway [--seconds 4] [--rounds 5] [--connections 32] [--kilobytes 8] [--delay 0]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { Pool } from 'undici';
import { freePort } from '../test/support/service/free-port';
import { MeasuredServices } from './measured-services';
import { options } from './options';
import { quantile, round } from './org-list-load';
import { report } from './report';
import { ModelKeys } from '../src/agents/gateway-access';
import { SecretBox } from '../src/kernel/common';

const {
  seconds: SECONDS,
  rounds: ROUNDS,
  connections: CONNECTIONS,
  kilobytes: KILOBYTES,
  delay: DELAY,
} = options({ seconds: 4, rounds: 5, connections: 32, kilobytes: 8, delay: 0 });

/** None of them makes more calls in a minute than it may. */
const CONVERSATIONS = 100;
const NAMES = ['direct', 'bare', 'gateway'] as const;
type Name = (typeof NAMES)[number];

interface Way {
  readonly url: URL;
  /** Called with in turn. */
  readonly keys: readonly string[];
}

/** Figures of one way, one for each round. */
interface Figures {
  readonly perSecond: number[];
  readonly p50Ms: number[];
  readonly firstByteMs: number[];
}

async function main(): Promise<void> {
  const children: ChildProcess[] = [];
  const child = async (name: string, environment: Record<string, string>): Promise<string> => {
    const port = await freePort();
    const started = fork(join(__dirname, 'model-gateway', `${name}.cjs`), {
      env: { ...process.env, PORT: String(port), DELAY_MS: String(DELAY), ...environment },
    });
    children.push(started);
    await new Promise((resolve) => started.once('message', resolve));
    return `http://127.0.0.1:${port}`;
  };
  const provider = await child('provider', {});
  const bare = await child('bare-proxy', { TARGET: provider });
  const settings = {
    MODEL_GATEWAY: 'on',
    MODEL_GATEWAY_CALLS_PER_KEY: '1000',
    ORGANIZATION_SHARE_PERCENT: '100',
    MODEL_PRICES: '{"*":{"input":1,"output":10}}',
    LLM_MODEL: 'openai/test-model',
    LLM_BASE_URL: `${provider}/v1`,
    LLM_API_KEY: 'sk-of-the-bench',
    SECRET_KEY: 'the-secret-key-of-this-bench-0123456789',
    LOG_LEVEL: 'warn',
    SANDBOX_DRIVER: 'process',
    SANDBOX_ISOLATION: 'none',
  };
  const services = await MeasuredServices.start({ SECRET_KEY: settings.SECRET_KEY, APP_ROLE: 'api' });
  try {
    const service = await services.replica('gateway', settings);
    const ids = await runningConversations(services.databaseUrl);
    const modelKeys = new ModelKeys(new SecretBox([settings.SECRET_KEY]));
    const ways: Record<Name, Way> = {
      direct: { url: new URL(`${provider}/v1/chat/completions`), keys: ['sk-of-the-bench'] },
      bare: { url: new URL(`${bare}/v1/chat/completions`), keys: ['sk-of-the-bench'] },
      gateway: {
        url: new URL(`http://127.0.0.1:${service.port}/llm/v1/chat/completions`),
        keys: ids.map((id) => modelKeys.issue(id)),
      },
    };
    const figures = await measureAll(ways);
    const median = (values: readonly number[]): number => quantile(values, 0.5);
    const shown = Object.fromEntries(
      NAMES.map((name) => [
        name,
        {
          perSecond: round(median(figures[name].perSecond)),
          p50Ms: round(median(figures[name].p50Ms)),
          firstByteMs: round(median(figures[name].firstByteMs)),
        },
      ]),
    );
    const of = (name: Name, figure: keyof Figures): number => median(figures[name][figure]);
    report('model-gateway', {
      ways: shown,
      throughputOfBare: round(of('gateway', 'perSecond') / of('bare', 'perSecond')),
      addedP50Ms: round(of('gateway', 'p50Ms') - of('bare', 'p50Ms')),
      addedFirstByteMs: round(of('gateway', 'firstByteMs') - of('bare', 'firstByteMs')),
    });
  } finally {
    await services.stop();
    for (const each of children) each.kill();
  }
}

async function measureAll(ways: Readonly<Record<Name, Way>>): Promise<Record<Name, Figures>> {
  const empty = (): Figures => ({ perSecond: [], p50Ms: [], firstByteMs: [] });
  const figures: Record<Name, Figures> = { direct: empty(), bare: empty(), gateway: empty() };
  for (const name of NAMES) await load(ways[name], CONNECTIONS, SECONDS);
  for (let n = 0; n < ROUNDS; n++)
    for (const name of NAMES) {
      figures[name].perSecond.push((await load(ways[name], CONNECTIONS, SECONDS)).perSecond);
      const single = await load(ways[name], 1, SECONDS / 2);
      figures[name].p50Ms.push(quantile(single.latencies, 0.5));
      const streamed = await load(ways[name], 1, SECONDS / 2, true);
      figures[name].firstByteMs.push(quantile(streamed.firstBytes, 0.5));
    }
  return figures;
}

async function load({ url, keys }: Way, connections: number, seconds: number, stream = false) {
  const pool = new Pool(url.origin, { connections, pipelining: 1 });
  const content = 'x'.repeat(KILOBYTES * 1024);
  const messages = [{ role: 'user', content }];
  const body = JSON.stringify({ model: 'openai/test-model', stream, max_tokens: 100, messages });
  let calls = 0;
  const latencies: number[] = [];
  const firstBytes: number[] = [];
  const until = performance.now() + seconds * 1_000;
  const caller = async (): Promise<void> => {
    while (performance.now() < until) {
      const began = performance.now();
      const authorization = `Bearer ${keys[calls++ % keys.length]}`;
      const headers = { 'content-type': 'application/json', authorization };
      const answer = await pool.request({ method: 'POST', path: url.pathname, headers, body });
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${await answer.body.text()}`);
      let first = 0;
      for await (const _piece of answer.body) first ||= performance.now() - began;
      firstBytes.push(first);
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: connections }, caller));
  await pool.close();
  return { perSecond: latencies.length / seconds, latencies, firstBytes };
}

async function runningConversations(databaseUrl: string): Promise<string[]> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const sandboxId = randomUUID();
  const ids = Array.from({ length: CONVERSATIONS }, () => randomUUID());
  await database.query(
    `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, host_id, status, last_activity_at)
     SELECT $1, org_id, user_id, 'process', NULL, 'RUNNING', now() FROM org_members LIMIT 1`,
    [sandboxId],
  );
  await database.query(
    `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state)
     SELECT unnest($1::uuid[]), org_id, created_by_user_id, id, 'ready' FROM sandboxes WHERE id = $2`,
    [ids, sandboxId],
  );
  await database.end();
  return ids;
}

void main();
