import { fill } from '../database/fill';
import type { TestDatabase } from '../database/postgres';

/** Gives a person many conversations that are over, each with some events, in an organization. */
export async function giveConversations(
  database: TestDatabase,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
  many: number,
  events = 3,
): Promise<void> {
  const ids = `SELECT id FROM conversations WHERE created_by_user_id = $1`;
  await fill(
    database,
    `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, execution_status, title)
     SELECT gen_random_uuid(), $1, $2, 'ready', 'finished', 'Conversation ' || n FROM generate_series(1, $3::integer) n`,
    [orgId, userId, many],
  );
  await fill(
    database,
    `INSERT INTO event_logs (conversation_id, last_seq, bytes) SELECT id, $2::integer, $2::integer * 500 FROM (${ids}) c`,
    [userId, events],
  );
  await fill(
    database,
    `INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload)
     SELECT c.id, n::text, n, 'MessageEvent', now(), '{"id":"' || n || '","text":"' || repeat('x', 450) || '"}'
       FROM (${ids}) c, generate_series(1, $2::integer) n`,
    [userId, events],
  );
}
