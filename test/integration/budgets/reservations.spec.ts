import { randomUUID } from 'node:crypto';
import {
  BudgetExhaustedError,
  Budgets,
  BudgetUpkeep,
  ModelCalls,
  ModelKeyInvalidError,
} from '../../../src/agents/budgets';
import { callOf, makeBudget, makeConversation, outcomeOf, spendingOf } from '../../support/budgets/spending';
import { rounds } from '../../support/rounds';
import { startTestApp, type TestApp } from '../../support/service/app';

/** For a thousand rounds of a hundred callers, on a machine that may be busy. */
const LONGEST_MS = 3_600_000;

describe('reservations', () => {
  let service: TestApp;
  let calls: ModelCalls;
  let budgets: Budgets;
  let upkeep: BudgetUpkeep;

  beforeAll(async () => {
    service = await startTestApp();
    calls = service.app.get(ModelCalls);
    budgets = service.app.get(Budgets);
    upkeep = service.app.get(BudgetUpkeep);
  });
  afterAll(() => service.close());

  const rowOf = async (id: string): Promise<Record<string, unknown> | undefined> => {
    const [row] = await service.db.query<Record<string, unknown>[]>(
      `SELECT status, cost::float8 AS cost, prompt_tokens::int AS prompt, http_status, settled_at IS NOT NULL AS settled
         FROM model_calls WHERE id = $1`,
      [id],
    );
    return row;
  };
  const recordOf = async (id: string): Promise<Record<string, unknown> | undefined> => {
    const [row] = await service.db.query<Record<string, unknown>[]>(
      'SELECT metered, accumulated_cost AS cost, prompt_tokens::int AS prompt FROM conversations WHERE id = $1',
      [id],
    );
    return row;
  };

  it('are settled by what the call cost, in the budget, the ledger and the record', async () => {
    const conversation = await makeConversation(service.db);
    const budget = await makeBudget(service.db, conversation.orgId, { usd: 10, tokens: 1_000 });
    const reservation = await calls.reserve(callOf(conversation, 2, 300));
    expect(await spendingOf(service.db, budget)).toMatchObject({ reserved_usd: 2, reserved_tokens: 300 });
    expect(await rowOf(reservation.id)).toMatchObject({ status: 'reserved', cost: 0, settled: false });
    await calls.settle(reservation, outcomeOf(0.5, 100, 20));
    expect(await spendingOf(service.db, budget)).toEqual({
      spent_usd: 0.5,
      spent_tokens: 120,
      reserved_usd: 0,
      reserved_tokens: 0,
    });
    expect(await rowOf(reservation.id)).toEqual({
      status: 'ok',
      cost: 0.5,
      prompt: 100,
      http_status: 200,
      settled: true,
    });
    expect(await recordOf(conversation.id)).toEqual({ metered: true, cost: 0.5, prompt: 100 });
  });

  it(
    'of a hundred callers at once with room for one are one, and nothing is spent beyond the limit',
    async () => {
      for (let round = 0; round < rounds(1_000, 20); round++) {
        const conversation = await makeConversation(service.db);
        const budget = await makeBudget(service.db, conversation.orgId, { usd: 1.5 });
        const asked = await Promise.allSettled(
          Array.from({ length: 100 }, () => calls.reserve(callOf(conversation, 1))),
        );
        const reserved = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
        expect(reserved).toHaveLength(1);
        for (const each of asked)
          if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(BudgetExhaustedError);
        expect(await spendingOf(service.db, budget)).toMatchObject({ spent_usd: 0, reserved_usd: 1 });
        await Promise.all(reserved.map((each) => calls.settle(each, outcomeOf(1))));
        expect(await spendingOf(service.db, budget)).toMatchObject({ spent_usd: 1, reserved_usd: 0 });
        const [{ count }] = await service.db.query<[{ count: string }]>(
          'SELECT count(*) FROM model_calls WHERE conversation_id = $1',
          [conversation.id],
        );
        expect(count).toBe('1');
      }
    },
    LONGEST_MS,
  );

  it('name the budget that has no room, and when it begins anew', async () => {
    const conversation = await makeConversation(service.db, { tags: { team: 'tools' } });
    const id = await makeBudget(service.db, conversation.orgId, {
      scope: 'tag',
      subject: 'team:tools',
      period: 'day',
      usd: 1,
    });
    const refused: unknown = await calls.reserve(callOf(conversation, 2)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 402, code: 'budget_exhausted' });
    const tomorrow = new Date();
    tomorrow.setUTCHours(24, 0, 0, 0);
    expect(refused instanceof BudgetExhaustedError && refused.toBody()).toMatchObject({
      budget: { id, scope: 'tag', subject: 'team:tools', resets_at: tomorrow.toISOString() },
    });
  });

  it('are none of a conversation that is gone, or whose sandbox does not run', async () => {
    await expect(calls.reserve(callOf({ id: randomUUID() }, 1))).rejects.toBeInstanceOf(ModelKeyInvalidError);
    const deleted = await makeConversation(service.db);
    await service.db.query('UPDATE conversations SET deleted_at = now() WHERE id = $1', [deleted.id]);
    await expect(calls.reserve(callOf(deleted, 1))).rejects.toBeInstanceOf(ModelKeyInvalidError);
    const stopping = await makeConversation(service.db);
    await service.db.query(`UPDATE sandboxes SET stopping = 'pause' WHERE id = $1`, [stopping.sandboxId]);
    await expect(calls.reserve(callOf(stopping, 1))).rejects.toBeInstanceOf(ModelKeyInvalidError);
  });

  it('count in the budgets of the user, the repository, the tags, and the conversations above', async () => {
    const parent = await makeConversation(service.db);
    const { orgId } = parent;
    const child = await makeConversation(service.db, {
      orgId,
      parentId: parent.id,
      repository: 'acme/tools',
      tags: { team: 'a', cost_center: '7' },
    });
    const scopes = [
      { scope: 'user', subject: child.userId },
      { scope: 'repository', subject: 'acme/tools' },
      { scope: 'tag', subject: 'team:a' },
      { scope: 'tag', subject: 'cost_center:7' },
      { scope: 'conversation', subject: parent.id },
      { scope: 'conversation', subject: child.id },
    ] as const;
    const ids = await Promise.all(
      scopes.map((fields) => makeBudget(service.db, orgId, { ...fields, usd: 5 })),
    );
    const others = await Promise.all([
      makeBudget(service.db, orgId, { scope: 'user', subject: parent.userId, usd: 5 }),
      makeBudget(service.db, orgId, { scope: 'repository', subject: 'acme/other', usd: 5 }),
      makeBudget(service.db, orgId, { scope: 'tag', subject: 'team:b', usd: 5 }),
    ]);
    await calls.settle(await calls.reserve(callOf(child, 2)), outcomeOf(1));
    for (const id of ids)
      expect(await spendingOf(service.db, id)).toMatchObject({ spent_usd: 1, reserved_usd: 0 });
    for (const id of others) expect(await spendingOf(service.db, id)).toMatchObject({ spent_usd: 0 });
  });

  it('are given back when nothing was spent', async () => {
    const conversation = await makeConversation(service.db);
    const budget = await makeBudget(service.db, conversation.orgId, { usd: 1 });
    const reservation = await calls.reserve(callOf(conversation, 1));
    await calls.release(reservation);
    expect(await spendingOf(service.db, budget)).toMatchObject({ spent_usd: 0, reserved_usd: 0 });
    expect(await rowOf(reservation.id)).toMatchObject({ status: 'failed', cost: 0, settled: true });
    await calls.reserve(callOf(conversation, 1));
  });

  it('are settled once, however often that is asked', async () => {
    const conversation = await makeConversation(service.db);
    const budget = await makeBudget(service.db, conversation.orgId, { usd: 10 });
    const reservation = await calls.reserve(callOf(conversation, 1));
    await Promise.all([1, 2, 3].map(() => calls.settle(reservation, outcomeOf(1))));
    await calls.settle(reservation, outcomeOf(3));
    expect(await spendingOf(service.db, budget)).toMatchObject({ spent_usd: 1, reserved_usd: 0 });
    expect(await recordOf(conversation.id)).toMatchObject({ cost: 1 });
  });

  it('of a process that was not seen are lost, and counted by what they could cost, until they are settled after all', async () => {
    const conversation = await makeConversation(service.db);
    const budget = await makeBudget(service.db, conversation.orgId, { usd: 10, tokens: 1_000 });
    const reservation = await calls.reserve(callOf(conversation, 4, 200));
    expect(await upkeep.lose(undefined, 60)).toBe(0);
    await service.db.query(`UPDATE model_calls SET process_id = gen_random_uuid() WHERE id = $1`, [
      reservation.id,
    ]);
    expect(await upkeep.lose(undefined, 0.001)).toBeGreaterThanOrEqual(1);
    expect(await rowOf(reservation.id)).toMatchObject({ status: 'lost', cost: 4, prompt: 200 });
    expect(await spendingOf(service.db, budget)).toEqual({
      spent_usd: 4,
      spent_tokens: 200,
      reserved_usd: 0,
      reserved_tokens: 0,
    });
    expect(await recordOf(conversation.id)).toMatchObject({ cost: 4 });
    await calls.settle(reservation, outcomeOf(1, 40, 10));
    expect(await rowOf(reservation.id)).toMatchObject({ status: 'ok', cost: 1, prompt: 40 });
    expect(await spendingOf(service.db, budget)).toMatchObject({ spent_usd: 1, spent_tokens: 50 });
    expect(await recordOf(conversation.id)).toMatchObject({ cost: 1, prompt: 40 });
  });

  it('are told of as limits are reached, once each', async () => {
    const conversation = await makeConversation(service.db);
    const budget = await makeBudget(service.db, conversation.orgId, { usd: 10, softPercent: 80 });
    const kinds = async (): Promise<string[]> => {
      const rows = await service.db.query<{ kind: string }[]>(
        `SELECT kind FROM domain_events WHERE org_id = $1 AND kind LIKE 'budget.%' ORDER BY id`,
        [conversation.orgId],
      );
      return rows.map(({ kind }) => kind);
    };
    await calls.settle(await calls.reserve(callOf(conversation, 8)), outcomeOf(7.9));
    expect(await kinds()).toEqual([]);
    await calls.settle(await calls.reserve(callOf(conversation, 1)), outcomeOf(0.5));
    expect(await kinds()).toEqual(['budget.soft_limit_reached']);
    expect(await budgets.exhaustedFor(conversation.id)).toBeNull();
    await calls.settle(await calls.reserve(callOf(conversation, 1)), outcomeOf(0.9));
    // What is left is more than a hundredth: a smaller call may have room.
    await expect(calls.reserve(callOf(conversation, 2))).rejects.toBeInstanceOf(BudgetExhaustedError);
    expect(await budgets.exhaustedFor(conversation.id)).toBeNull();
    await calls.settle(await calls.reserve(callOf(conversation, 0.7)), outcomeOf(0.65));
    await expect(calls.reserve(callOf(conversation, 1))).rejects.toBeInstanceOf(BudgetExhaustedError);
    await expect(calls.reserve(callOf(conversation, 1))).rejects.toBeInstanceOf(BudgetExhaustedError);
    expect(await kinds()).toEqual(['budget.soft_limit_reached', 'budget.exhausted']);
    expect(await budgets.exhaustedFor(conversation.id)).toMatchObject({ id: budget, scope: 'organization' });
  });

  it('of a conversation with many tags leave these out of the ledger, and count for them', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`tag${n}`, 'x'.repeat(50)]));
    const conversation = await makeConversation(service.db, { tags: { ...many, team: 'a' } });
    const budget = await makeBudget(service.db, conversation.orgId, {
      scope: 'tag',
      subject: 'team:a',
      usd: 5,
    });
    const { id } = await calls.reserve(callOf(conversation, 2));
    expect(await spendingOf(service.db, budget)).toMatchObject({ reserved_usd: 2 });
    const rows = await service.db.query<unknown[]>('SELECT tags FROM model_calls WHERE id = $1', [id]);
    expect(rows).toEqual([{ tags: {} }]);
  });

  it('keep what agent servers report from counting twice', async () => {
    const conversation = await makeConversation(service.db);
    const budget = await makeBudget(service.db, conversation.orgId, { usd: 10 });
    const report = (cost: number): Promise<unknown> =>
      service.db.query('SELECT apply_report($1, NULL, NULL, NULL, NULL, $2, 100, 10, 0, 0, 0, 0, 0, true)', [
        conversation.id,
        cost,
      ]);
    await report(2);
    await upkeep.run();
    expect(await spendingOf(service.db, budget)).toMatchObject({ spent_usd: 2, spent_tokens: 110 });
    await calls.settle(await calls.reserve(callOf(conversation, 1)), outcomeOf(1));
    await report(9);
    await upkeep.run();
    expect(await spendingOf(service.db, budget)).toMatchObject({ spent_usd: 3 });
    expect(await recordOf(conversation.id)).toMatchObject({ cost: 3, metered: true });
  });
});
