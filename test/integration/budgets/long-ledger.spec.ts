import { randomUUID } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { makeConversation, type SpendingConversation } from '../../support/budgets/spending';
import { startTestApp, type TestApp } from '../../support/service/app';

const ROWS = 5_000;

describe('calls of a session that began with an empty ledger', () => {
  let service: TestApp;
  let session: QueryRunner;
  let conversation: SpendingConversation;

  beforeAll(async () => {
    service = await startTestApp();
    conversation = await makeConversation(service.db);
    session = service.db.createQueryRunner();
  });
  afterAll(async () => {
    await session.release();
    await service.close();
  });

  const callOnce = async (): Promise<void> => {
    const ids = [randomUUID()];
    await session.query(
      `SELECT reserve_model_calls($1::uuid[], $2::uuid[], ARRAY['openai/gpt-test'], ARRAY['openai'], ARRAY[1], ARRAY[100],
                                  gen_random_uuid(), true)`,
      [ids, [conversation.id]],
    );
    await session.query(
      `SELECT settle_model_calls($1::uuid[], ARRAY['ok'], ARRAY[0.5], ARRAY[10], ARRAY[5], ARRAY[0], ARRAY[0], ARRAY[true],
                                 ARRAY[200], ARRAY[12], ARRAY[3], true)`,
      [ids],
    );
  };

  it('read no more of it when it is long', async () => {
    // As often as PostgreSQL tries plans of another kind before it keeps one.
    for (let n = 0; n < 10; n++) await callOnce();
    await session.query(
      `INSERT INTO model_calls (id, org_id, conversation_id, user_id, tags, model, provider, status, reserved_usd,
                                reserved_tokens, budget_ids, process_id, at, settled_at)
       SELECT gen_random_uuid(), $1, $2, $3, '{}', 'openai/gpt-test', 'openai', 'ok', 1, 100, '{}', gen_random_uuid(), now(), now()
         FROM generate_series(1, ${ROWS})`,
      [conversation.orgId, conversation.id, conversation.userId],
    );
    await session.startTransaction();
    await callOnce();
    const [{ rows }] = await session.manager.query<[{ rows: number }]>(
      `SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'model_calls'`,
    );
    await session.rollbackTransaction();
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(100);
  });
});
