import type { EntityManager } from 'typeorm';
import { eventually } from '../../support/eventually';
import { emptyBudget, exhaust as exhaustAgain, makeExhaustedBudget } from '../../support/budgets/exhausted';
import type { BudgetFields } from '../../support/budgets/spending';
import { QueueFixture, type TestConversation } from '../../support/queue/queue-fixture';
import { QueueReplica } from '../../support/queue/queue-replica';

const REASON = 'The budget of the organization, $10 in all, has no room for this until it is raised.';

describe('a queue whose conversation counts for an exhausted budget', () => {
  let fixture: QueueFixture;
  beforeAll(async () => (fixture = await QueueFixture.start()));
  afterEach(async () => {
    fixture.double.heal();
    await fixture.replica.db.query('DELETE FROM budgets');
  });
  afterAll(() => fixture.stop());

  const exhaust = (budget: BudgetFields = {}): Promise<string> =>
    makeExhaustedBudget(fixture.replica.db, fixture.orgId, budget);

  /** The budget is changed, and that is announced as by its operations. */
  const change = (id: string, how: (db: EntityManager) => Promise<unknown>): Promise<void> =>
    fixture.replica.inTransaction(async (transaction) => {
      await how(transaction);
      await fixture.replica.announceBudget(transaction, fixture.orgId, id);
    });
  const raise = (id: string): Promise<void> => change(id, (transaction) => emptyBudget(transaction, id));

  const pausedUntil = async ({ id }: TestConversation): Promise<number> => {
    const [row] = await fixture.replica.db.query<{ ms: number | null; claimed: boolean }[]>(
      `SELECT (extract(epoch FROM next_attempt_at - now()) * 1000)::float8 AS ms, claimed_until IS NOT NULL AS claimed
         FROM message_queues WHERE conversation_id = $1`,
      [id],
    );
    expect(row).toMatchObject({ claimed: false });
    return row?.ms ?? 0;
  };
  const waiting = (conversation: TestConversation, reason = REASON): Promise<void> =>
    eventually(async () => {
      const [first] = await fixture.list(conversation.id);
      expect(first).toMatchObject({ state: 'queued', last_error: reason, attempts: 0 });
      expect(await pausedUntil(conversation)).toBeGreaterThan(0);
    });

  it('waits and says why, and goes on in order once the budget is raised', async () => {
    const conversation = await fixture.ready();
    const budget = await exhaust();
    for (const text of ['one', 'two', 'three']) await fixture.add(conversation.id, text);
    await waiting(conversation);
    expect(fixture.arrived(conversation.id)).toEqual([]);
    await raise(budget);
    await eventually(() => expect(fixture.arrived(conversation.id)).toEqual(['one', 'two', 'three']));
    const messages = await fixture.list(conversation.id);
    expect(messages.map(({ state, last_error }) => [state, last_error])).toEqual(
      messages.map(() => ['delivered', null]),
    );
  });

  it('goes on once the budget is deleted', async () => {
    const conversation = await fixture.ready();
    const budget = await exhaust({ scope: 'conversation', subject: conversation.id });
    await fixture.add(conversation.id, 'one');
    await waiting(
      conversation,
      'The budget of the conversation, $10 in all, has no room for this until it is raised.',
    );
    await change(budget, (transaction) => transaction.query('DELETE FROM budgets WHERE id = $1', [budget]));
    await eventually(() => expect(fixture.arrived(conversation.id)).toEqual(['one']));
  });

  it('is not looked at again before the period ends, or for an hour', async () => {
    const conversation = await fixture.ready();
    await exhaust({ period: 'day' });
    await fixture.add(conversation.id, 'one');
    await eventually(async () => {
      const now = new Date();
      const untilMidnight =
        Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime();
      const ms = await pausedUntil(conversation);
      expect(Math.abs(ms - Math.min(untilMidnight, 3_600_000))).toBeLessThan(60_000);
    });
    const runs = await fixture.replica.db.query<{ at: string }[]>(
      `SELECT run_at > now() + interval '1 minute' OR (now() AT TIME ZONE 'UTC')::time > '23:58' AS later
         FROM graphile_worker.jobs j JOIN message_queues q ON j.key = 'deliver:' || q.id
        WHERE q.conversation_id = $1 AND j.attempts < j.max_attempts`,
      [conversation.id],
    );
    expect(runs).toEqual([{ later: true }]);
  });

  it('goes on by itself where its time has come and the next period has room', async () => {
    const conversation = await fixture.ready();
    const budget = await exhaust({ period: 'day' });
    await fixture.add(conversation.id, 'one');
    await eventually(async () => expect(await pausedUntil(conversation)).toBeGreaterThan(0));
    const { db } = fixture.replica;
    await db.query('UPDATE budget_spending SET period_start = period_start - 1 WHERE budget_id = $1', [
      budget,
    ]);
    await db.query('UPDATE message_queues SET next_attempt_at = now() WHERE conversation_id = $1', [
      conversation.id,
    ]);
    await db.query(
      `SELECT graphile_worker.add_job('deliver-messages', json_build_object('queueId', id), job_key => 'deliver:' || id)
         FROM message_queues WHERE conversation_id = $1`,
      [conversation.id],
    );
    await eventually(() => expect(fixture.arrived(conversation.id)).toEqual(['one']));
  });

  it('keeps the messages of others moving', async () => {
    const stopped = await fixture.ready();
    const other = await fixture.ready();
    await exhaust({ scope: 'conversation', subject: stopped.id });
    await fixture.add(stopped.id, 'one');
    await fixture.add(other.id, 'two');
    await eventually(() => expect(fixture.arrived(other.id)).toEqual(['two']));
    expect(fixture.arrived(stopped.id)).toEqual([]);
  });

  it('has its first message wait, too, when the start is ready', async () => {
    const conversation = await fixture.starting({
      content: JSON.stringify([{ type: 'text', text: 'first' }]),
      run: true,
    });
    const budget = await exhaust();
    await fixture.getReady(conversation);
    await waiting(conversation);
    await raise(budget);
    await eventually(() => expect(fixture.arrived(conversation.id)).toEqual(['first']));
  });

  it('settles what is on its way, and has the next one wait', async () => {
    const conversation = await fixture.ready();
    fixture.double.fail(
      { kind: 'hang', stored: true },
      ({ method, path }) => method === 'POST' && path.endsWith(`${conversation.id}/events`),
    );
    await fixture.add(conversation.id, 'on its way');
    await eventually(async () => expect((await fixture.list(conversation.id))[0]?.state).toBe('delivering'));
    const budget = await exhaust();
    await fixture.add(conversation.id, 'next');
    await eventually(async () =>
      expect(
        (await fixture.list(conversation.id)).map(({ state, last_error }) => [state, last_error]),
      ).toEqual([
        ['delivered', null],
        ['queued', REASON],
      ]),
    );
    await raise(budget);
    await eventually(() => expect(fixture.arrived(conversation.id)).toEqual(['on its way', 'next']));
  });

  it('is woken by one of two replicas, and delivered from once', async () => {
    const second = await QueueReplica.start({
      databaseUrl: fixture.database.url,
      sandboxes: fixture.sandboxes,
    });
    try {
      const conversation = await fixture.ready();
      const budget = await exhaust();
      for (const text of ['one', 'two']) await fixture.add(conversation.id, text);
      await waiting(conversation);
      await raise(budget);
      await eventually(() => expect(fixture.arrived(conversation.id)).toEqual(['one', 'two']));
      await exhaustAgain(fixture.replica.db, budget);
      await fixture.add(conversation.id, 'three');
      await raise(budget);
      await eventually(() => expect(fixture.arrived(conversation.id)).toEqual(['one', 'two', 'three']));
    } finally {
      await second.stop();
    }
  });
});
