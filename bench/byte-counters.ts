/**
 * What counting stored bytes costs where it is hottest: a queued message and an event of an agent that comes in, in this
 * process, without HTTP. Turns with the counters and without alternate over one database; figures are of the median turn,
 * ratios of the median round. Without, the triggers are disabled, and the statements are those of before. What counts is
 * the processor time of a call, of this process and of the database's together: unlike rates, it does not depend on what
 * else the machine does. All messages and events are of one organization and one user, whose counters calls at once wait
 * for; rates have that, too. Events are taken in steps, by the statements that count.
 *
 *   npm run bench -- byte-counters [--seconds 1] [--rounds 15]
 */
import 'reflect-metadata';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { newId } from '../src/kernel/common';
import { migrate, PreparedStatement, Statement } from '../src/kernel/database';
import { startEmbeddedPostgres } from '../src/appliance/embedded-postgres';
import { ADD_EVENTS, LOCK_LOG } from '../src/conversations/events/storage/event.query';
import { EventIntake } from '../src/conversations/events/inbound/event-intake';
import { EventLimits } from '../src/conversations/events/storage/event.repository';
import { migrateJobs } from '../src/kernel/jobs';
import { QUEUE_MESSAGE } from '../src/conversations/pending-messages/queue/queue.query';
import { makeCaller, makeOrg } from '../test/support/service/factories';
import {
  AT_ONCE,
  callsPerSecond,
  cleanUp,
  median,
  openConversations,
  type Operation,
  queuedMessage,
  receivedEvent,
  startService,
} from './hot-paths';
import { options } from './options';
import { report } from './report';

const { seconds: SECONDS, rounds: ROUNDS } = options({ seconds: 1, rounds: 15 });
const SMALL = 100;
const LARGE = 16 * 1024;

const TRIGGERS: Readonly<Record<string, readonly string[]>> = {
  pending_messages: ['pending_messages_counted_in', 'pending_messages_counted_anew'],
  message_queues: ['message_queues_counted_out', 'message_queues_counted_attached'],
  event_logs: ['event_logs_placed', 'event_logs_removed'],
};

/** As of the release before the counters; by hand, as what they stand for. */
const UNCOUNTED_MESSAGE = new PreparedStatement(
  'queue-message-uncounted',
  'SELECT *, NULL AS exceeded FROM queue_message($1, $2, $3, $4, $5, $6, $7, $8)',
);
const UNCOUNTED_LOG = new Statement(
  `INSERT INTO event_logs (conversation_id) VALUES ($1)
   ON CONFLICT (conversation_id) DO UPDATE SET last_seq = event_logs.last_seq RETURNING last_seq`,
);
const UNCOUNTED_EVENTS = new Statement(
  `WITH added AS (
     INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload)
     SELECT $1, e.id, $2::bigint + e.n, e.kind, e.occurred_at, e.payload
       FROM unnest($3::text[], $4::text[], $5::timestamptz[], $6::text[])
            WITH ORDINALITY AS e (id, kind, occurred_at, payload, n)
   )
   UPDATE event_logs SET last_seq = $2::bigint + $7 WHERE conversation_id = $1`,
);

const COUNTED = {
  message: QUEUE_MESSAGE.rows.bind(QUEUE_MESSAGE),
  log: LOCK_LOG.rows.bind(LOCK_LOG),
  events: ADD_EVENTS.rows.bind(ADD_EVENTS),
};

async function count(app: NestExpressApplication, counts: boolean): Promise<void> {
  const db = app.get(DataSource);
  for (const [table, triggers] of Object.entries(TRIGGERS))
    for (const trigger of triggers)
      await db.query(`ALTER TABLE ${table} ${counts ? 'ENABLE' : 'DISABLE'} TRIGGER ${trigger}`);
  Object.assign(QUEUE_MESSAGE, {
    rows: counts
      ? COUNTED.message
      : (database: DataSource, values: unknown[]) => UNCOUNTED_MESSAGE.rows(database, values.slice(0, 8)),
  });
  Object.assign(LOCK_LOG, { rows: counts ? COUNTED.log : UNCOUNTED_LOG.rows.bind(UNCOUNTED_LOG) });
  Object.assign(ADD_EVENTS, {
    rows: counts
      ? COUNTED.events
      : (database: DataSource, values: unknown[]) => UNCOUNTED_EVENTS.rows(database, values.slice(0, 7)),
  });
  Object.assign(app.get(EventIntake), { take: () => Promise.resolve(null) });
  const limits = app.get(EventLimits);
  if (counts) Reflect.deleteProperty(limits, 'assertRoom');
  else Object.assign(limits, { assertRoom: () => Promise.resolve() });
}

interface Turn {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

/** Processor time so far, of this process and of the connections it has to the database. */
async function cpuMicroseconds(db: DataSource): Promise<number> {
  const backends = await db.query<{ pid: number }[]>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database()`,
  );
  let total = process.cpuUsage().user + process.cpuUsage().system;
  for (const { pid } of backends)
    total += Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')[0]) / 1_000;
  return total;
}

async function turn(
  app: NestExpressApplication,
  ids: readonly string[],
  operation: Operation,
): Promise<Turn> {
  const db = app.get(DataSource);
  const before = await cpuMicroseconds(db);
  const perSecond = await callsPerSecond(app, ids, operation, SECONDS);
  return { perSecond, cpuMicroseconds: ((await cpuMicroseconds(db)) - before) / (perSecond * SECONDS) };
}

async function measure(
  app: NestExpressApplication,
  ids: readonly string[],
  operation: Operation,
): Promise<Record<string, unknown>> {
  const turns = { with: [] as Turn[], without: [] as Turn[] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const kind of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      await count(app, kind === 'with');
      const one = await turn(app, ids, operation);
      // The first round warms up.
      if (round > 0) turns[kind].push(one);
      await cleanUp(app.get(DataSource));
      await app.get(DataSource).query('TRUNCATE message_bytes, event_bytes');
    }
  const ratios = turns.with.map(
    (one, round) => one.cpuMicroseconds / (turns.without[round]?.cpuMicroseconds ?? NaN),
  );
  return {
    with: medians(turns.with),
    without: medians(turns.without),
    countersAddPercent: Math.round((median(ratios) - 1) * 1_000) / 10,
  };
}

function medians(turns: readonly Turn[]): Turn {
  return {
    perSecond: Math.round(median(turns.map(({ perSecond }) => perSecond))),
    cpuMicroseconds: Math.round(median(turns.map((one) => one.cpuMicroseconds))),
  };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-byte-counters-'));
  const log = { info: () => undefined, warn: () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  await migrate(postgres.url, migrateJobs);
  const app = await startService(postgres.url, folder);
  const db = app.get(DataSource);
  const org = await makeOrg(db);
  const { userId } = await makeCaller(db, org.id);
  const owner = { userId, orgId: org.id, sandboxId: newId() };
  const ids = await openConversations(db, owner);
  const results = {
    message: await measure(app, ids, queuedMessage(owner, SMALL)),
    largeMessage: await measure(app, ids, queuedMessage(owner, LARGE)),
    event: await measure(app, ids, receivedEvent(owner, SMALL)),
    largeEvent: await measure(app, ids, receivedEvent(owner, LARGE)),
  };
  const parameters = {
    secondsEach: SECONDS,
    medianOfRounds: ROUNDS,
    atOnce: AT_ONCE,
    smallBytes: SMALL,
    largeBytes: LARGE,
  };
  report('byte-counters', { ...parameters, results });
  await app.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

void main();
