import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { BudgetUpkeep } from '../../../src/agents/budgets';
import { makeBudget, makeConversation, spendingOf } from '../../support/budgets/spending';
import { scriptOf } from '../../support/compiled/compiled-sources';
import { eventually } from '../../support/eventually';
import { GatewayProcess } from '../../support/model-provider/gateway-process';
import { StubProvider } from '../../support/model-provider/stub-provider';
import { rounds } from '../../support/rounds';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';

const CALLS = 5;
const ALL_ANSWERED = Array<number>(CALLS).fill(200);

/** What the ledger has of a conversation. */
interface Ledger {
  readonly calls: number;
  readonly ok: number;
  readonly lost: number;
  readonly tokens: number;
  readonly ok_tokens: number;
  readonly cost: number;
}

describe('calls of a process that is killed', () => {
  let service: TestApp;
  let provider: StubProvider;
  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' } });
    provider = await StubProvider.start();
  });
  beforeEach(() => provider.reset());
  afterAll(async () => {
    await service.close();
    await provider.stop();
  });

  /** A conversation that may call, and a budget that it counts in. */
  const spender = async (): Promise<{ readonly id: string; readonly budget: string }> => {
    const { orgId, userId } = await makeCaller(service.db, (await makeOrg(service.db)).id);
    const { id } = await makeConversation(service.db, { orgId, userId });
    return { id, budget: await makeBudget(service.db, orgId, { usd: 100 }) };
  };
  /** As if it had been silent for long, whoever is dead. @returns how many calls are lost */
  const lose = async (): Promise<number> => {
    await service.db.query(`UPDATE model_call_processes SET seen_at = seen_at - interval '1 hour'`);
    return service.app.get(BudgetUpkeep).lose(undefined, 1);
  };
  const ledgerOf = async (id: string): Promise<Ledger> => {
    const [ledger] = await service.db.query<[Ledger]>(
      `SELECT count(*)::int AS calls, count(*) FILTER (WHERE status = 'ok')::int AS ok,
              count(*) FILTER (WHERE status = 'lost')::int AS lost,
              coalesce(sum(prompt_tokens + completion_tokens), 0)::int AS tokens,
              coalesce(sum(prompt_tokens + completion_tokens) FILTER (WHERE status = 'ok'), 0)::int AS ok_tokens,
              coalesce(sum(cost), 0)::float8 AS cost
         FROM model_calls WHERE conversation_id = $1`,
      [id],
    );
    return ledger;
  };

  it('between reservation and settlement are lost, and count by what they could cost', async () => {
    const conversation = await makeConversation(service.db);
    const budget = await makeBudget(service.db, conversation.orgId, { usd: 100 });
    const { path, execArgv } = scriptOf(join(__dirname, '..', '..', 'crash', 'calling-process'));
    const start = {
      databaseUrl: service.database.url,
      secretKey: 'a-secret-key-of-tests-0123456789',
      conversationId: conversation.id,
      calls: CALLS,
    };
    const child = fork(path, [JSON.stringify(start)], {
      execArgv: [...execArgv],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const exited = once(child, 'exit');
    await Promise.race([once(child, 'message'), exited]);
    const upkeep = service.app.get(BudgetUpkeep);
    expect(await upkeep.lose()).toBe(0);
    expect(await spendingOf(service.db, budget)).toMatchObject({ spent_usd: 0, reserved_usd: CALLS });
    child.kill('SIGKILL');
    await exited;
    // It was just seen: nobody says yet that it is dead.
    expect(await upkeep.lose()).toBe(0);
    await service.db.query(`UPDATE model_call_processes SET seen_at = seen_at - interval '1 hour'`);
    expect(await upkeep.lose(undefined, 1)).toBe(CALLS);
    expect(await upkeep.lose(undefined, 1)).toBe(0);
    expect(await spendingOf(service.db, budget)).toEqual({
      spent_usd: CALLS,
      spent_tokens: CALLS * 10,
      reserved_usd: 0,
      reserved_tokens: 0,
    });
    const rows = await service.db.query<object[]>(
      'SELECT status, sum(cost)::float8 AS cost, count(*)::int AS calls FROM model_calls WHERE conversation_id = $1 GROUP BY 1',
      [conversation.id],
    );
    expect(rows).toEqual([{ status: 'lost', cost: CALLS, calls: CALLS }]);
    const [{ cost }] = await service.db.query<[{ cost: number }]>(
      'SELECT accumulated_cost AS cost FROM conversations WHERE id = $1',
      [conversation.id],
    );
    expect(cost).toBe(CALLS);
  });

  it('between the answer and its row are as many in the ledger as the provider counted, and cost no less', async () => {
    const { id, budget } = await spender();
    const gateway = await GatewayProcess.start(service.database.url, provider);
    const holder = new Client(service.database.url);
    try {
      const chats = (): Promise<number>[] => Array.from({ length: CALLS }, () => gateway.chat(id));
      expect(await Promise.all(chats())).toEqual(ALL_ANSWERED);
      await eventually(async () => expect((await ledgerOf(id)).ok).toBe(CALLS));
      provider.next.push(...ALL_ANSWERED.map(() => ({ kind: 'waits' as const })));
      const answers = chats();
      await eventually(() => expect(provider.open).toBe(CALLS));
      // Nobody can settle what counts in a budget that somebody else holds.
      await holder.connect();
      await holder.query('BEGIN');
      await holder.query('SELECT FROM budget_spending WHERE budget_id = $1 FOR UPDATE', [budget]);
      provider.release();
      expect(await Promise.all(answers)).toEqual(ALL_ANSWERED);
      await gateway.close();
      // What it asked for last is not done after its end.
      await service.db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
    } finally {
      await holder.end();
      await gateway.close();
    }
    expect(provider.calls).toHaveLength(2 * CALLS);
    expect(await ledgerOf(id)).toMatchObject({ calls: 2 * CALLS, ok: CALLS, lost: 0 });
    expect(await lose()).toBe(CALLS);
    const ledger = await ledgerOf(id);
    expect(ledger).toMatchObject({ calls: provider.calls.length, ok: CALLS, lost: CALLS });
    expectCovers(ledger, provider, CALLS);
    expect(await spendingOf(service.db, budget)).toMatchObject({
      spent_usd: expect.closeTo(ledger.cost, 9) as number,
      spent_tokens: ledger.tokens,
      reserved_usd: 0,
      reserved_tokens: 0,
    });
  });

  it('at any moment are in the ledger each, as far as the provider knows of them', async () => {
    for (let round = 0; round < rounds(10, 1); round++) {
      provider.reset();
      const { id, budget } = await spender();
      const gateway = await GatewayProcess.start(service.database.url, provider);
      const state = { isOver: false };
      const caller = async (): Promise<void> => {
        while (!state.isOver) await gateway.chat(id).catch(() => undefined);
      };
      const callers = Array.from({ length: 2 * CALLS }, caller);
      await eventually(() => expect(provider.calls.length).toBeGreaterThan(10 * CALLS));
      await sleep(100 * Math.random());
      state.isOver = true;
      await gateway.close();
      await Promise.all(callers);
      await eventually(() => expect(provider.open).toBe(0));
      await eventually(async () => {
        await lose();
        expect(await spendingOf(service.db, budget)).toMatchObject({ reserved_usd: 0, reserved_tokens: 0 });
      });
      const ledger = await ledgerOf(id);
      expect(ledger.ok + ledger.lost).toBe(ledger.calls);
      // A call that was reserved may not have reached the provider any more.
      expect(ledger.calls).toBeGreaterThanOrEqual(provider.calls.length);
      expect(ledger.calls - provider.calls.length).toBeLessThanOrEqual(ledger.lost);
      expectCovers(ledger, provider, ledger.ok);
    }
  });
});

/** That the provider has charged for nothing that is not in the ledger. */
function expectCovers(ledger: Ledger, { said, billed }: StubProvider, ok: number): void {
  expect(ledger.ok_tokens).toBe(ok * (said.promptTokens + said.completionTokens));
  expect(ledger.tokens).toBeGreaterThanOrEqual(billed.prompt + billed.completion);
}
