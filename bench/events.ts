/**
 * What it costs to take the events of agents, over HTTP: processor time of the service and of PostgreSQL for a call with one
 * event and with fifty, by the key of a sandbox and by that of a server that sandboxes share, and for a turn: a message, and
 * the events that an agent, which echoes, tells of it. What both take at rest is taken off. Then how many events of batches are
 * taken in a second, and how many with an endpoint that is called back for each and a stream of all of them. Then what one of each asks of the database: round trips, functions
 * (triggers too), rows and entries of indexes, as its log of writes has them. Needs the built service (`npm run build`).
 *
 *   npm run bench -- events [--seconds 8] [--conversations 20000] [--counted 200]
 */
import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { ConversationClient } from '../test/support/service/conversation-client';
import { digestOf } from '../src/kernel/common';
import { superuserAddress } from '../src/appliance/embedded-postgres/roles';
import { DatabaseWork } from './events/database-work';
import { options } from './options';
import { postgresProcessorMs, processorMs } from './processor-time';
import { report } from './report';
import { Installation } from './soak/installation';
import { Receiver } from './webhooks/receiver';
import { StreamReader } from '../test/support/streams/stream-reader';

const given = options({ seconds: 8, conversations: 20_000, counted: 200 });
const AT_ONCE = 4;
const MANY_AT_ONCE = 16;
/** Conversations that are called in turn: callers of one alone would wait for each other. */
const AT_WORK = 50;
const BATCH = 50;
const TEXT_BYTES = 600;
/** After the last call, what was told is stored and numbered. */
const QUIET_MS = 1_500;
const REST_MS = 8_000;
const SANDBOX_KEY = 'key-of-a-sandbox-of-its-own';
const MESSAGE = { content: [{ type: 'text', text: 'What does the build say? '.repeat(8) }] };

/** One call; its number says which conversation is next. */
type Call = (turn: number) => Promise<void>;

/** Another than the one before, whatever its number of calls. */
let turns = 0;

async function post(url: string, headers: Readonly<Record<string, string>>, body: unknown): Promise<void> {
  const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
  const response = await fetch(url, { ...init, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
}

function events(count: number): unknown[] {
  return Array.from({ length: count }, () => ({
    id: crypto.randomUUID(),
    kind: 'PauseEvent',
    source: 'user',
    timestamp: new Date().toISOString(),
    text: 'x'.repeat(TEXT_BYTES),
  }));
}

/** Calls while there is something to do. @returns how many calls that was */
async function callers(call: Call, atOnce: number, isOver: (calls: number) => boolean): Promise<number> {
  let begun = 0;
  const caller = async (): Promise<void> => {
    while (!isOver(begun)) {
      begun++;
      await call(turns++);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return begun;
}

const forMs = (ms: number): (() => boolean) => {
  const end = performance.now() + ms;
  return () => performance.now() >= end;
};

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

interface Usage {
  readonly serviceMs: number;
  readonly databaseMs: number;
}

/** What both take while something is done. */
async function usageOf(
  { service, databaseFolder }: Installation,
  work: () => Promise<unknown>,
): Promise<Usage> {
  const ofService = processorMs(service.child.pid);
  const ofDatabase = await postgresProcessorMs(databaseFolder);
  await work();
  return {
    serviceMs: processorMs(service.child.pid) - ofService,
    databaseMs: (await postgresProcessorMs(databaseFolder)) - ofDatabase,
  };
}

/** What both take in a second in which nothing is asked. */
async function atRest(installation: Installation): Promise<Usage> {
  const used = await usageOf(installation, () => pause(REST_MS));
  const perSecond = (ms: number): number => rounded((ms * 1_000) / REST_MS);
  return { serviceMs: perSecond(used.serviceMs), databaseMs: perSecond(used.databaseMs) };
}

/** Processor time of one call, with what is done of it after its answer. */
async function processorTime(
  installation: Installation,
  rest: Usage,
  call: Call,
  atOnce: number,
): Promise<object> {
  const { db } = installation;
  const stored = async (): Promise<number> => {
    const [{ count }] = await db.query<[{ count: string }]>('SELECT sum(last_seq) AS count FROM event_logs');
    return Number(count);
  };
  await callers(call, atOnce, forMs(2_000));
  await pause(QUIET_MS);
  const before = await stored();
  const began = performance.now();
  let calls = 0;
  const used = await usageOf(installation, async () => {
    calls = await callers(call, atOnce, forMs(given.seconds * 1_000));
    await pause(QUIET_MS);
  });
  const seconds = (performance.now() - began) / 1_000;
  return {
    atOnce,
    calls,
    eventsStored: rounded(((await stored()) - before) / calls),
    serviceMs: rounded((used.serviceMs - seconds * rest.serviceMs) / calls),
    databaseMs: rounded((used.databaseMs - seconds * rest.databaseMs) / calls),
  };
}

/** Events of batches a second, with callers, database and whoever listens on this machine. */
async function perSecond(call: Call): Promise<number> {
  await callers(call, AT_ONCE, forMs(2_000));
  const began = performance.now();
  const calls = await callers(call, AT_ONCE, forMs(given.seconds * 1_000));
  return Math.round((BATCH * calls * 1_000) / (performance.now() - began));
}

/** As {@link perSecond}, with an endpoint that is called back for every event, and a stream of all of them. */
async function perSecondHeard(
  { service, key, db }: Installation,
  receiver: Receiver,
  call: Call,
): Promise<object> {
  const [{ org }] = await db.query<[{ org: string }]>('SELECT org_id AS org FROM conversations LIMIT 1');
  const events = `${service.url}/api/organizations/${org}`;
  const url = `http://127.0.0.1:${receiver.port}/`;
  await post(`${events}/webhooks`, { 'X-Access-Token': key }, { url, kinds: ['event.received'] });
  const stream = await StreamReader.open(`${events}/events/stream`, { key });
  await pause(QUIET_MS);
  const began = performance.now();
  const taken = await perSecond(call);
  const seconds = (performance.now() - began) / 1_000;
  const each = (count: number): number => Math.round(count / seconds);
  const heard = { calledBack: each(receiver.arrivals.size), streamed: each(stream.events.length) };
  stream.close();
  await db.query('DELETE FROM webhooks');
  return { taken, ...heard };
}

/** Conversations whose agents echo, at the server that sandboxes share, and as many in a sandbox with a key of its own. */
async function prepare(installation: Installation): Promise<{ shared: string[]; own: string[] }> {
  const { db } = installation;
  const client = new ConversationClient(installation.service, installation.key);
  const shared: string[] = [];
  while (shared.length < AT_WORK) shared.push(await client.ready());
  const [{ org, creator }] = await db.query<[{ org: string; creator: string }]>(
    'SELECT org_id AS org, created_by_user_id AS creator FROM conversations LIMIT 1',
  );
  const [{ sandbox }] = await db.query<[{ sandbox: string }]>(
    `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, last_activity_at, session_key_digest)
     SELECT gen_random_uuid(), org_id, created_by_user_id, driver, 'PAUSED', now(), $1 FROM sandboxes LIMIT 1
     RETURNING id AS sandbox`,
    [digestOf(SANDBOX_KEY)],
  );
  const own = await db.query<{ id: string | null }[]>(
    `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state, title)
     SELECT gen_random_uuid(), $1, $2, CASE WHEN n <= $3 THEN $4 ELSE gen_random_uuid() END, 'ready', 'Fix the flaky test ' || n
       FROM generate_series(1, $5) n
     RETURNING CASE WHEN sandbox_id = $4 THEN id END AS id`,
    [org, creator, AT_WORK, sandbox, given.conversations],
  );
  await db.query('VACUUM ANALYZE');
  return { shared, own: own.flatMap(({ id }) => id ?? []) };
}

async function main(): Promise<void> {
  const receiver = await Receiver.start();
  const installation = await Installation.start(
    { shared_preload_libraries: 'pg_stat_statements' },
    { WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${receiver.port}` },
  );
  const { service, agentServer, key } = installation;
  const operator = new Client(await superuserAddress(installation.postgresFolder, installation.postgres.url));
  await operator.connect();
  try {
    const { shared, own } = await prepare(installation);
    const taking =
      (ids: readonly string[], sessionKey: string, count: number): Call =>
      (turn) =>
        post(
          `${service.url}/api/v1/webhooks/events/${ids[turn % ids.length]}`,
          { 'X-Session-API-Key': sessionKey },
          events(count),
        );
    const calls = {
      oneEvent: taking(own, SANDBOX_KEY, 1),
      fiftyEvents: taking(own, SANDBOX_KEY, BATCH),
      oneEventOfSharedServer: taking(shared, agentServer.apiKey, 1),
      turn: (turn: number) =>
        post(
          `${service.url}/api/v1/app-conversations/${shared[turn % shared.length]}/send-message`,
          { 'X-Access-Token': key },
          MESSAGE,
        ),
    } satisfies Readonly<Record<string, Call>>;
    const times: Record<string, object> = {};
    await pause(REST_MS);
    const rest = await atRest(installation);
    for (const [name, call] of Object.entries(calls))
      times[name] = await processorTime(installation, rest, call, AT_ONCE);
    times['oneEventOfManyAtOnce'] = await processorTime(installation, rest, calls.oneEvent, MANY_AT_ONCE);
    const eventsPerSecond = {
      alone: await perSecond(calls.fiftyEvents),
      heard: await perSecondHeard(installation, receiver, calls.fiftyEvents),
    };
    const work = await DatabaseWork.prepare(operator);
    const counts: Record<string, object> = {};
    for (const [name, call] of Object.entries(calls)) {
      await pause(QUIET_MS);
      await work.begin();
      const made = await callers(call, AT_ONCE, (begun) => begun >= given.counted);
      await pause(QUIET_MS);
      counts[name] = await work.end(made);
    }
    report('events', { ...given, atWork: AT_WORK, atRest: rest, times, eventsPerSecond, counts });
  } finally {
    await operator.end();
    await installation.stop();
    await receiver.stop();
  }
}

void main();
