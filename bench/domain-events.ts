/**
 * What publishing domain events costs where it is hottest: a queued message (`MessageEnqueuer`) and an event of
 * an agent that comes in (`InboundService`), in this process, without HTTP. Three services over one database
 * take turns; rates are of the median turn, ratios of the median round. `withoutLog` publishes nothing at all, and the
 * triggers that log are off; `withoutListener` logs, asks who listens and finds nobody; `withListener` has one listener
 * in the transaction to each of the two kinds. Positions are given by nobody meanwhile.
 *
 *   npm run bench -- domain-events [--seconds 1] [--rounds 15]
 */
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable, Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { newId } from '../src/kernel/common';
import { migrate } from '../src/kernel/database';
import { startEmbeddedPostgres } from '../src/appliance/embedded-postgres';
import { DomainEvents, OnDomainEvent } from '../src/kernel/domain-events';
import { migrateJobs } from '../src/kernel/jobs';
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
/** Bytes of text in each message and event. */
const TEXT_BYTES = 5;

/** Hears everything that is measured, and does nothing. */
@Injectable()
class Listener {
  @OnDomainEvent(['message.queued', 'event.received'])
  call(): Promise<void> {
    return Promise.resolve();
  }
}

@Module({ providers: [Listener] })
class ListenerModule {}

const VARIANTS = ['withoutLog', 'withoutListener', 'withListener'] as const;

const LOGGING = [
  ['pending_messages', 'pending_messages_logged_in'],
  ['pending_messages', 'pending_messages_logged'],
  ['conversations', 'conversations_logged'],
  ['events', 'events_logged'],
] as const;

type Variant = (typeof VARIANTS)[number];

/** In the function that takes events, what has it log them, and what has it not. */
const LOGS = 'IF NOT is_heard THEN';
const LOGS_NOT = 'IF NOT true THEN';

/** Switches on or off what logs in the database. */
async function setLogging(db: DataSource, isOn: boolean): Promise<void> {
  for (const [table, trigger] of LOGGING)
    await db.query(`ALTER TABLE ${table} ${isOn ? 'ENABLE' : 'DISABLE'} TRIGGER ${trigger}`);
  const [{ definition }] = await db.query<[{ definition: string }]>(
    `SELECT pg_get_functiondef('take_events'::regproc) AS definition`,
  );
  await db.query(isOn ? definition.replace(LOGS_NOT, LOGS) : definition.replace(LOGS, LOGS_NOT));
}

async function measure(
  apps: Readonly<Record<Variant, NestExpressApplication>>,
  ids: readonly string[],
  operation: Operation,
): Promise<Record<string, unknown>> {
  const turns: Record<Variant, number[]> = { withoutLog: [], withoutListener: [], withListener: [] };
  const db = apps.withoutLog.get(DataSource);
  for (let round = 0; round <= ROUNDS; round++)
    for (let place = 0; place < VARIANTS.length; place++) {
      // Each goes first as often as the others.
      const variant = VARIANTS[(round + place) % VARIANTS.length] ?? 'withoutLog';
      await setLogging(db, variant !== 'withoutLog');
      const rate = await callsPerSecond(apps[variant], ids, operation, SECONDS);
      // The first round warms up.
      if (round > 0) turns[variant].push(rate);
      await cleanUp(db);
    }
  const perSecond = Object.fromEntries(VARIANTS.map((name) => [name, Math.round(median(turns[name]))]));
  // Within each round, so that what else the machine does hits both alike.
  const slower = (name: Variant): number => {
    const ratios = turns.withoutLog.map((rate, round) => rate / (turns[name][round] ?? NaN));
    return Math.round((median(ratios) - 1) * 1_000) / 10;
  };
  return {
    perSecond,
    withoutListenerAddsPercent: slower('withoutListener'),
    withListenerAddsPercent: slower('withListener'),
  };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-domain-events-'));
  const log = { info: () => undefined, warn: () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  await migrate(postgres.url, migrateJobs);
  const apps = {
    withoutLog: await startService(postgres.url, folder),
    withoutListener: await startService(postgres.url, folder),
    withListener: await startService(postgres.url, folder, [ListenerModule]),
  };
  Object.assign(apps.withoutLog.get(DomainEvents), {
    listensTo: () => false,
    publish: () => Promise.resolve(),
    publishLogged: () => Promise.resolve(),
  });
  const db = apps.withoutLog.get(DataSource);
  const org = await makeOrg(db);
  const { userId } = await makeCaller(db, org.id);
  const owner = { userId, orgId: org.id, sandboxId: newId() };
  const ids = await openConversations(db, owner);
  const results = {
    queuedMessage: await measure(apps, ids, queuedMessage(owner, TEXT_BYTES)),
    receivedEvent: await measure(apps, ids, receivedEvent(owner, TEXT_BYTES)),
  };
  report('domain-events', { secondsEach: SECONDS, medianOfRounds: ROUNDS, atOnce: AT_ONCE, results });
  for (const app of Object.values(apps)) await app.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

void main();
