import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { digestOf, newId } from '../../src/kernel/common';
import { createDataSource, migrate } from '../../src/kernel/database';
import { migrateJobs } from '../../src/kernel/jobs';
import { makeCaller, makeKey, makeOrg } from '../../test/support/service/factories';
import { openConversations } from '../hot-paths';
import { Replica } from './replica';

export const CONVERSATIONS = 25;
export const STREAMS_OF_KEY = 20;
export const SESSION_KEY = 'session-key-of-the-benchmark';

/** An organization with conversations and keys, over which replicas are started. */
export interface Scene {
  readonly db: DataSource;
  readonly url: string;
  readonly folder: string;
  readonly conversationIds: readonly string[];
  readonly keys: readonly string[];
  readonly owner: { readonly userId: string; readonly orgId: string; readonly sandboxId: string };
}

/** @param streams how many the keys are enough for */
export async function makeScene(url: string, folder: string, streams: number): Promise<Scene> {
  await migrate(url, migrateJobs);
  const db = await createDataSource(url, 4).initialize();
  const org = await makeOrg(db);
  const { userId } = await makeCaller(db, org.id, 'owner');
  const owner = { userId, orgId: org.id, sandboxId: newId() };
  await db.query(
    `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, session_key_digest, last_activity_at)
     VALUES ($1, $2, $3, 'external', 'RUNNING', $4, now())`,
    [owner.sandboxId, owner.orgId, userId, digestOf(SESSION_KEY)],
  );
  const conversationIds = (await openConversations(db, owner)).slice(0, CONVERSATIONS);
  const count = Math.ceil(streams / STREAMS_OF_KEY) + 1;
  const keys: string[] = [];
  for (let n = 0; n < count; n++) keys.push((await makeKey(db, userId)).key);
  return { db, url, folder, conversationIds, keys, owner };
}

export const startReplica = ({ url, folder }: Scene, name: string): Promise<Replica> =>
  Replica.start(url, join(folder, name));

export const streamPath = (id = ''): string => `/api/v1/conversation/${id}/events/stream`;
