import type { DataSource } from 'typeorm';
import { BudgetUpkeep } from '../../../src/agents/budgets';
import { AgentServerClient } from '../../../src/sandboxes/agent-server';
import { interruptOf } from '../../support/agent-server/agent-server-calls';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { makeBudget } from '../../support/budgets/spending';
import { removeBudgets } from '../../support/budgets/exhausted';
import { eventually } from '../../support/eventually';
import { startSmtpSink, type SmtpSink } from '../../support/invitations/smtp-sink';
import { makeCaller, makeMember, makeUser } from '../../support/service/factories';
import { startTestApp } from '../../support/service/app';
import { runJob } from '../../support/service/run-job';

const INTERRUPT = 'budget-interrupt';

describe('a budget that is spent', () => {
  let mail: SmtpSink;
  let doubled: DoubledService;
  /** The conversations whose agents run until they are interrupted. */
  const running = new Set<string>();
  beforeAll(async () => {
    mail = await startSmtpSink();
    doubled = await DoubledService.start({ SMTP_URL: mail.url, MAIL_FROM: 'service@example.com' });
    const client = doubled.service.app.app.get(AgentServerClient, { strict: false });
    jest.spyOn(client, 'getConversation').mockImplementation((_, id) => {
      const runs = running.has(id) && doubled.double.arrived(interruptOf(id)).length === 0;
      return Promise.resolve({ id, execution_status: runs ? 'running' : 'paused' });
    });
  });
  afterEach(async () => {
    mail.received.length = 0;
    await removeBudgets(doubled.service.app.db, doubled.service.owner.orgId);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await doubled.close();
    await mail.close();
  });

  const db = (): DataSource => doubled.service.app.db;
  const orgId = (): string => doubled.service.owner.orgId;
  const runs = async (fields: Parameters<DoubledService['conversation']>[0] = {}): Promise<string> => {
    const { id } = await doubled.conversation({ execution_status: 'running', ...fields });
    running.add(id);
    return id;
  };
  const write = (budget: string, usd: number): Promise<unknown> =>
    db().query(
      `INSERT INTO budget_spending AS s (budget_id, period_start, spent_usd)
       SELECT id, budget_period_start(period, now()), $2 FROM budgets WHERE id = $1
       ON CONFLICT (budget_id, user_id, period_start) DO UPDATE SET spent_usd = s.spent_usd + $2`,
      [budget, usd],
    );
  /** As reports of agent servers do. */
  const spend = async (budget: string, usd: number): Promise<void> => {
    await write(budget, usd);
    await doubled.service.app.app.get(BudgetUpkeep, { strict: false }).run();
  };
  const interrupts = (id: string): number => doubled.double.arrived(interruptOf(id)).length;
  const told = async (kind: string): Promise<readonly { conversation_id?: string; budget_id: string }[]> =>
    (
      await db().query<{ event: { conversation_id?: string; budget_id: string } }[]>(
        'SELECT event FROM domain_events WHERE org_id = $1 AND kind = $2 ORDER BY id',
        [orgId(), kind],
      )
    ).map(({ event }) => event);
  /** No agent is to be looked for or interrupted any more, but for the second look, which is due later. */
  const settled = (): Promise<void> =>
    eventually(async () =>
      expect(
        await db().query(
          `SELECT 1 FROM graphile_worker.jobs
            WHERE task_identifier IN ('budget-agents', $1) AND run_at <= now() AND attempts < max_attempts`,
          [INTERRUPT],
        ),
      ).toEqual([]),
    );

  it('has the agents that count in it interrupted, each once, and tells their creators why', async () => {
    const [one, two] = [await runs({ tags: { team: 'shop' } }), await runs({ tags: { team: 'shop' } })];
    const other = await runs({ tags: { team: 'other' } });
    const idle = (await doubled.conversation({ tags: { team: 'shop' }, execution_status: 'idle' })).id;
    const paused = await runs({ tags: { team: 'shop' }, sandbox: { status: 'PAUSED' } });
    const budget = await makeBudget(db(), orgId(), { scope: 'tag', subject: 'team:shop', usd: 10 });
    await spend(budget, 9.99);
    await settled();
    expect([one, two].map(interrupts)).toEqual([0, 0]);
    await spend(budget, 0.01);
    await spend(budget, 1);
    await eventually(() => expect([one, two].map(interrupts)).toEqual([1, 1]));
    await settled();
    expect([one, two, other, idle, paused].map(interrupts)).toEqual([1, 1, 0, 0, 0]);
    expect((await told('budget.exhausted')).filter(({ budget_id }) => budget_id === budget)).toHaveLength(1);
    const interrupted = (await told('conversation.interrupted')).filter(
      (event) => event.budget_id === budget,
    );
    expect(interrupted.map(({ conversation_id }) => conversation_id).sort()).toEqual([one, two].sort());
    await eventually(async () => {
      const rows = await db().query<{ payload: string }[]>(
        'SELECT payload FROM events WHERE conversation_id = $1',
        [one],
      );
      expect(rows.map(({ payload }) => JSON.parse(payload) as unknown)).toMatchObject([
        {
          kind: 'ConversationErrorEvent',
          source: 'environment',
          code: 'budget_exhausted',
          detail:
            'The agent was interrupted: The budget of the tag, $10 in all, has no room for this until it is raised.',
        },
      ]);
    });
  });

  it('is looked at again a moment later, for agents that were about to run', async () => {
    const budget = await makeBudget(db(), orgId(), { usd: 10 });
    await spend(budget, 10);
    await settled();
    const late = await runs();
    const planned = await db().query<unknown[]>(
      `SELECT graphile_worker.add_job(task_identifier, json_build_object('budgetId', $1::uuid))
         FROM graphile_worker.jobs WHERE task_identifier = 'budget-agents' AND run_at > now() LIMIT 1`,
      [budget],
    );
    expect(planned).toHaveLength(1);
    await eventually(() => expect(interrupts(late)).toBe(1));
  });

  it('interrupts nobody any more where it has room again', async () => {
    const id = await runs();
    const budget = await makeBudget(db(), orgId(), { usd: 10 });
    await runJob(doubled.service.app.app, INTERRUPT, { conversationId: id });
    expect(interrupts(id)).toBe(0);
    await db().query(
      `INSERT INTO budget_spending (budget_id, period_start, spent_usd) VALUES ($1, '1970-01-01', 10)`,
      [budget],
    );
    await runJob(doubled.service.app.app, INTERRUPT, { conversationId: id });
    expect(interrupts(id)).toBe(1);
  });

  it('is told of by one mail to each owner, admin and the member whose it is, also with two replicas', async () => {
    const admin = await makeMember(db(), orgId(), 'admin');
    const member = await makeMember(db(), orgId());
    await makeMember(db(), orgId());
    await makeMember(db(), orgId(), 'admin', await makeUser(db(), { disabled: true }));
    const budget = await makeBudget(db(), orgId(), {
      scope: 'user',
      subject: member.id,
      period: 'month',
      usd: 10,
      softPercent: 80,
    });
    const second = await startTestApp({
      env: { APP_ROLE: 'api', SMTP_URL: mail.url, MAIL_FROM: 'service@example.com' },
      database: doubled.service.app.database,
    });
    try {
      const everybody = [doubled.service.owner.email, admin.email, member.email].sort();
      const spendTogether = async (usd: number): Promise<void> => {
        await write(budget, usd);
        const upkeep = [doubled.service.app, second].map(({ app }) =>
          app.get(BudgetUpkeep, { strict: false }),
        );
        await Promise.all([...upkeep, ...upkeep].map((one) => one.run()));
      };
      await spendTogether(8);
      await eventually(() => expect(mail.received).toHaveLength(3));
      expect(mail.received.map(({ to }) => to[0]).sort()).toEqual(everybody);
      const soft = JSON.stringify(mail.received[0]);
      expect(soft).toContain('is nearly exhausted');
      expect(soft).toContain('$8.00 of $10.00');
      await spendTogether(2);
      await eventually(() => expect(mail.received).toHaveLength(6));
      const hard = mail.received.slice(3);
      expect(hard.map(({ to }) => to[0]).sort()).toEqual(everybody);
      expect(JSON.stringify(hard[0])).toContain('is exhausted');
      for (const kind of ['budget.soft_limit_reached', 'budget.exhausted'])
        expect((await told(kind)).filter(({ budget_id }) => budget_id === budget)).toHaveLength(1);
    } finally {
      await second.close();
    }
  });

  it('is told of again once it was raised, and spent again', async () => {
    const budget = await makeBudget(db(), orgId(), { usd: 10 });
    await spend(budget, 10);
    const admin = await makeCaller(db(), orgId(), 'admin');
    const path = `/api/organizations/${orgId()}/budgets/${budget}`;
    const raised = { limit_usd: 20, reason: 'The release' };
    const { status } = await doubled.service.call('PATCH', path, { key: admin.key, body: raised });
    expect(status).toBe(200);
    await spend(budget, 5);
    const exhausted = async () =>
      (await told('budget.exhausted')).filter(({ budget_id }) => budget_id === budget);
    expect(await exhausted()).toHaveLength(1);
    await spend(budget, 5);
    expect(await exhausted()).toHaveLength(2);
  });
});
