/** What is hottest of the service, called in this process without HTTP: a queued message and an event of an agent. */
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { DataSource } from 'typeorm';
import { createApp } from '../src/app.setup';
import { newId } from '../src/kernel/common';
import { readSettings } from '../src/kernel/config';
import { gatherExtensions } from '../src/operations/extensions';
import { InboundService } from '../src/conversations/events/inbound/inbound.service';
import { DeliveryRuns } from '../src/conversations/pending-messages/delivery/delivery-runs';
import { MessageEnqueuer } from '../src/conversations/pending-messages/queue/message-enqueuer';

/** Calls on their way at a time. */
export const AT_ONCE = 4;
const CONVERSATIONS = 2_000;

/** Whose conversations are called, and the sandbox they are in. */
export interface Owner {
  readonly userId: string;
  readonly orgId: string;
  readonly sandboxId: string;
}

/** What is measured of each service. */
export type Operation = (app: NestExpressApplication, conversationId: string) => Promise<unknown>;

/** Starts a service that queues messages without delivering them. */
export async function startService(
  databaseUrl: string,
  dataDir: string,
  extensions: Type[] = [],
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
    extensions: await gatherExtensions(extensions, {}),
  });
  await app.init();
  // Only the statement that queues is measured, not what delivers.
  Object.assign(app.get(DeliveryRuns), { begin: () => Promise.resolve() });
  return app;
}

/** Conversations of one sandbox with open queues, enough for a turn: each takes ten messages. */
export async function openConversations(db: DataSource, owner: Owner): Promise<string[]> {
  const ids = Array.from({ length: CONVERSATIONS }, newId);
  await db.query(
    `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state)
     SELECT id, $2, $3, $4, 'ready' FROM unnest($1::uuid[]) AS id`,
    [ids, owner.orgId, owner.userId, owner.sandboxId],
  );
  await db.query(
    `INSERT INTO message_queues (id, user_id, conversation_id)
     SELECT gen_random_uuid(), $2, id FROM unnest($1::uuid[]) AS id`,
    [ids, owner.userId],
  );
  return ids;
}

/** Queues a text of so many bytes. */
export function queuedMessage({ userId }: Owner, bytes: number): Operation {
  const content = JSON.stringify([{ type: 'text', text: 'x'.repeat(bytes) }]);
  return (app, id) => app.get(MessageEnqueuer).addAndDeliver(userId, id, { content, mode: 'steer' });
}

/** Takes an event with a text of so many bytes. */
export function receivedEvent({ userId, orgId, sandboxId }: Owner, bytes: number): Operation {
  const sandbox = { sandboxId, orgId, createdByUserId: userId };
  const rest = `"kind":"PauseEvent","timestamp":"2026-11-21T09:30:00","text":"${'x'.repeat(bytes)}"}]`;
  return (app, id) => app.get(InboundService).takeEvents(sandbox, id, `[{"id":"${newId()}",${rest}`);
}

/** What a turn leaves behind is gone before the next, which would differ by whether leases have lapsed meanwhile. */
export async function cleanUp(db: DataSource): Promise<void> {
  await db.query('TRUNCATE pending_messages, event_logs, domain_events, graphile_worker._private_jobs');
  await db.query('UPDATE message_queues SET claimed_until = NULL');
  await db.query('VACUUM message_queues');
}

/** Calls a second for a turn of so many seconds. */
export async function callsPerSecond(
  app: NestExpressApplication,
  ids: readonly string[],
  operation: Operation,
  seconds: number,
): Promise<number> {
  let calls = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, worker) => {
      for (let n = worker; performance.now() - began < seconds * 1_000; n += AT_ONCE) {
        await operation(app, ids[n % ids.length] ?? '');
        calls++;
      }
    }),
  );
  return calls / ((performance.now() - began) / 1_000);
}

/** The middle one. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
