/**
 * What publishing domain events costs where it is hottest: a queued message (`MessageEnqueuer`) and an event of
 * an agent that comes in (`InboundService`), in this process, without HTTP. Three services over one database
 * take turns; rates are of the median turn, ratios of the median round. `withoutPublish` publishes nothing at all,
 * `withoutListener` asks who listens and finds nobody, `withListener` has one listener after the commit to each of the
 * two kinds.
 *
 *   npm run bench -- domain-events [--seconds 1] [--rounds 15]
 */
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable, Module, type Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { createApp } from '../src/app.setup';
import { newId } from '../src/common';
import { readSettings } from '../src/config';
import { migrate } from '../src/database';
import { startEmbeddedPostgres } from '../src/database/embedded';
import { DomainEvents, OnDomainEvent } from '../src/domain-events';
import { InboundService } from '../src/events/inbound/inbound.service';
import { migrateJobs } from '../src/jobs';
import { DeliveryRuns } from '../src/pending-messages/delivery/delivery-runs';
import { MessageEnqueuer } from '../src/pending-messages/queue/message-enqueuer';
import { makeCaller, makeOrg } from '../test/support/service/factories';
import { options } from './options';
import { report } from './report';

const { seconds: SECONDS, rounds: ROUNDS } = options({ seconds: 1, rounds: 15 });
/** Calls on their way at a time. */
const AT_ONCE = 4;
const CONVERSATIONS = 2_000;
const CONTENT = '[{"type":"text","text":"hello"}]';

/** As a callback has it. */
@Injectable()
class Callback {
  @OnDomainEvent(['message.queued', 'event.received'], { after: 'commit', name: 'bench-callback' })
  call(): Promise<void> {
    return Promise.resolve();
  }
}

@Module({ providers: [Callback] })
class CallbackModule {}

/** What is measured of each service, by name. */
type Operation = (app: NestExpressApplication, conversationId: string) => Promise<unknown>;

interface Owner {
  readonly userId: string;
  readonly orgId: string;
}

async function start(
  databaseUrl: string,
  dataDir: string,
  extensions: Type[],
): Promise<NestExpressApplication> {
  const app = await createApp({
    settings: readSettings({
      LOG_LEVEL: 'silent',
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      APP_ROLE: 'api',
    }),
    databaseUrl,
    secretKey: 'bench',
    hostId: 'bench',
    extensions,
  });
  await app.init();
  // Only the statement that queues is measured, not what delivers.
  Object.assign(app.get(DeliveryRuns), { begin: () => Promise.resolve() });
  return app;
}

/** Conversations of one sandbox with open queues, enough for a turn: each takes ten messages. */
async function conversations(db: DataSource, owner: Owner, sandboxId: string): Promise<string[]> {
  const ids = Array.from({ length: CONVERSATIONS }, newId);
  await db.query(
    `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state)
     SELECT id, $2, $3, $4, 'ready' FROM unnest($1::uuid[]) AS id`,
    [ids, owner.orgId, owner.userId, sandboxId],
  );
  await db.query(
    `INSERT INTO message_queues (id, user_id, conversation_id)
     SELECT gen_random_uuid(), $2, id FROM unnest($1::uuid[]) AS id`,
    [ids, owner.userId],
  );
  return ids;
}

/** Calls a second for one turn. */
async function turn(
  app: NestExpressApplication,
  ids: readonly string[],
  operation: Operation,
): Promise<number> {
  let calls = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, worker) => {
      for (let n = worker; performance.now() - began < SECONDS * 1_000; n += AT_ONCE) {
        await operation(app, ids[n % ids.length] ?? '');
        calls++;
      }
    }),
  );
  return calls / ((performance.now() - began) / 1_000);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

const VARIANTS = ['withoutPublish', 'withoutListener', 'withListener'] as const;

type Variant = (typeof VARIANTS)[number];

async function measure(
  apps: Readonly<Record<Variant, NestExpressApplication>>,
  ids: readonly string[],
  operation: Operation,
): Promise<Record<string, unknown>> {
  const turns: Record<Variant, number[]> = { withoutPublish: [], withoutListener: [], withListener: [] };
  const db = apps.withoutPublish.get(DataSource);
  for (let round = 0; round <= ROUNDS; round++)
    for (let place = 0; place < VARIANTS.length; place++) {
      // Each goes first as often as the others; what a turn leaves behind is gone before the next.
      const variant = VARIANTS[(round + place) % VARIANTS.length] ?? 'withoutPublish';
      const rate = await turn(apps[variant], ids, operation);
      // The first round warms up.
      if (round > 0) turns[variant].push(rate);
      await db.query('TRUNCATE pending_messages, events, event_logs, graphile_worker._private_jobs');
      // Else a turn would differ by whether the leases of an earlier one have lapsed meanwhile.
      await db.query('UPDATE message_queues SET claimed_until = NULL');
      await db.query('VACUUM message_queues');
    }
  const perSecond = Object.fromEntries(VARIANTS.map((name) => [name, Math.round(median(turns[name]))]));
  // Within each round, so that what else the machine does hits both alike.
  const slower = (name: Variant): number => {
    const ratios = turns.withoutPublish.map((rate, round) => rate / (turns[name][round] ?? NaN));
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
    withoutPublish: await start(postgres.url, folder, []),
    withoutListener: await start(postgres.url, folder, []),
    withListener: await start(postgres.url, folder, [CallbackModule]),
  };
  Object.assign(apps.withoutPublish.get(DomainEvents), {
    listensTo: () => false,
    publish: () => Promise.resolve(),
  });
  const db = apps.withoutPublish.get(DataSource);
  const org = await makeOrg(db);
  const { userId } = await makeCaller(db, org.id);
  const sandboxId = newId();
  const ids = await conversations(db, { userId, orgId: org.id }, sandboxId);
  const sandbox = { sandboxId, orgId: org.id, createdByUserId: userId };
  const queuedMessage: Operation = (app, id) => app.get(MessageEnqueuer).addAndDeliver(userId, id, CONTENT);
  const receivedEvent: Operation = (app, id) =>
    app
      .get(InboundService)
      .takeEvents(sandbox, id, `[{"id":"${newId()}","kind":"PauseEvent","timestamp":"2026-11-21T09:30:00"}]`);
  const results = {
    queuedMessage: await measure(apps, ids, queuedMessage),
    receivedEvent: await measure(apps, ids, receivedEvent),
  };
  report('domain-events', { secondsEach: SECONDS, medianOfRounds: ROUNDS, atOnce: AT_ONCE, results });
  for (const app of Object.values(apps)) await app.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

void main();
