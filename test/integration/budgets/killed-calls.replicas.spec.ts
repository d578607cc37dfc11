import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BudgetUpkeep } from '../../../src/agents/budgets';
import { makeBudget, makeConversation, spendingOf } from '../../support/budgets/spending';
import { scriptOf } from '../../support/compiled/compiled-sources';
import { startTestApp, type TestApp } from '../../support/service/app';

const CALLS = 5;

describe('calls of a process that is killed', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp({ env: { APP_ROLE: 'api' } })));
  afterAll(() => service.close());

  it('between reservation and settlement are lost, and count by what they could cost', async () => {
    const conversation = await makeConversation(service.db);
    const budget = await makeBudget(service.db, conversation.orgId, { usd: 100 });
    const { path, execArgv } = scriptOf(join(__dirname, '..', '..', 'crash', 'calling-process'));
    const start = {
      ...{ databaseUrl: service.database.url, secretKey: 'a-secret-key-of-tests-0123456789' },
      ...{ conversationId: conversation.id, calls: CALLS },
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
      ...{ spent_usd: CALLS, spent_tokens: CALLS * 10, reserved_usd: 0, reserved_tokens: 0 },
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
});
