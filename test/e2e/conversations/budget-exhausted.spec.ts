import { randomUUID } from 'node:crypto';
import { sendTo } from '../../support/agent-server/agent-server-calls';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { makeExhaustedBudget, removeBudgets } from '../../support/budgets/exhausted';
import { type BudgetFields, makeBudget } from '../../support/budgets/spending';
import { eventually } from '../../support/eventually';
import { saying } from '../../support/queue/queued-messages';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call, type ErrorBody, type HttpResponse } from '../../support/service/http';

describe('while a budget is exhausted', () => {
  let doubled: DoubledService;
  beforeAll(
    async () =>
      (doubled = await DoubledService.start({ SEND_TIMEOUT_SECONDS: '2', MAX_SANDBOXES_PER_ORG: '100' })),
  );
  beforeEach(() => doubled.double.heal());
  afterEach(() => removeBudgets(doubled.service.app.db, doubled.service.owner.orgId));
  afterAll(() => doubled.close());

  const exhaust = (budget: BudgetFields, ago = 0): Promise<string> =>
    makeExhaustedBudget(doubled.service.app.db, doubled.service.owner.orgId, budget, ago);
  const send = (id: string, query = '', body: object = {}): Promise<HttpResponse<ErrorBody>> =>
    doubled.service.call<ErrorBody>('POST', `/api/v1/app-conversations/${id}/send-message${query}`, {
      body: { ...saying('Hello'), ...body },
    });
  const start = (body: object): Promise<HttpResponse<ErrorBody>> =>
    doubled.service.call<ErrorBody>('POST', '/api/v1/app-conversations', { body });
  const outcome = ({ status, body }: HttpResponse<ErrorBody>): readonly unknown[] => [status, body.code];

  describe('sending a message', () => {
    const OF_CONVERSATION = { selected_repository: 'acme/shop', tags: { team: 'shop', sizes: [1, 2] } };
    it.each<[string, (id: string) => BudgetFields]>([
      ['of the organization', () => ({})],
      ['of the creator', () => ({ scope: 'user', subject: doubled.service.owner.userId })],
      ['of the repository', () => ({ scope: 'repository', subject: 'acme/shop' })],
      ['of a tag', () => ({ scope: 'tag', subject: 'team:shop' })],
      ['of a tag that is no text', () => ({ scope: 'tag', subject: 'sizes:[1, 2]' })],
      ['of the conversation', (id) => ({ scope: 'conversation', subject: id })],
    ])('is a 402 where it is %s, and sends nothing', async (_, budgetOf) => {
      const { id } = await doubled.conversation(OF_CONVERSATION);
      await exhaust(budgetOf(id));
      expect(outcome(await send(id))).toEqual([402, 'budget_exhausted']);
      expect(outcome(await send(id, '', { run: false }))).toEqual([402, 'budget_exhausted']);
      expect(doubled.double.arrived(sendTo(id))).toEqual([]);
    });

    it('is a 402 in a sub-conversation where it is of the one above', async () => {
      const parent = await doubled.conversation();
      const child = await doubled.conversation({ parent_conversation_id: parent.id });
      const other = await doubled.conversation();
      await exhaust({ scope: 'conversation', subject: parent.id });
      expect((await send(child.id)).status).toBe(402);
      expect((await send(other.id)).status).toBe(200);
    });

    it.each<[string, BudgetFields]>([
      ['another member', { scope: 'user', subject: randomUUID() }],
      ['another repository', { scope: 'repository', subject: 'acme/other' }],
      ['another tag', { scope: 'tag', subject: 'team:other' }],
      ['another conversation', { scope: 'conversation', subject: randomUUID() }],
    ])('goes on where it is of %s', async (_, budget) => {
      const { id } = await doubled.conversation(OF_CONVERSATION);
      await exhaust(budget);
      expect((await send(id)).status).toBe(200);
    });

    it('goes on where it is of another organization, was so in an earlier period, or has room', async () => {
      const { id } = await doubled.conversation();
      const { db } = doubled.service.app;
      await makeExhaustedBudget(db, (await makeOrg(db)).id);
      await exhaust({ period: 'day' }, 1);
      await exhaust({ period: 'month' }, 1);
      await makeBudget(db, doubled.service.owner.orgId, { usd: 10 });
      expect((await send(id)).status).toBe(200);
    });

    it('says which, and when it is open again; of several the one that is open again last', async () => {
      const { id } = await doubled.conversation();
      const today = new Date();
      await exhaust({ scope: 'user', subject: doubled.service.owner.userId, period: 'day' });
      const tomorrow = new Date(
        Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + 1),
      );
      expect((await send(id)).body.detail).toBe(
        `The budget of the user, $10 per day, has no room for this until it is raised or begins anew at ${tomorrow.toISOString()}.`,
      );
      const budget = await exhaust({});
      expect((await send(id)).body).toMatchObject({
        detail: 'The budget of the organization, $10 in all, has no room for this until it is raised.',
        budget: { id: budget, scope: 'organization', resets_at: null },
      });
    });

    it('comes after what the conversation and its sandbox are, and before what the agent server says', async () => {
      await exhaust({});
      const { app, owner } = doubled.service;
      const ofOther = (await doubled.conversation({ owner: await makeCaller(app.db, owner.orgId) })).id;
      const sandbox = async (status: string): Promise<string> =>
        (await doubled.conversation({ sandbox: { status } })).id;
      const before: readonly (readonly [string, number, string])[] = [
        [randomUUID(), 404, 'conversation_not_found'],
        [ofOther, 404, 'conversation_not_found'],
        [(await doubled.conversation({ sandbox_id: randomUUID() })).id, 404, 'sandbox_not_found'],
        [await sandbox('MISSING'), 410, 'conversation_archived'],
        [await sandbox('ERROR'), 503, 'sandbox_error'],
        [await sandbox('PAUSED'), 409, 'sandbox_not_running'],
        [
          (await doubled.conversation({ start_state: 'failed' })).id,
          404,
          ...(['conversation_unknown_to_agent_server'] as const),
        ] as [string, number, string],
      ];
      for (const [id, status, code] of before) expect(outcome(await send(id))).toEqual([status, code]);
      for (const status of [404, 422, 500]) {
        const { id } = await doubled.conversation();
        doubled.double.fail({ kind: 'status', status, stored: false }, sendTo(id));
        expect(outcome(await send(id))).toEqual([402, 'budget_exhausted']);
      }
      const { id } = await doubled.conversation();
      expect((await send(id, '', { content: [] })).status).toBe(422);
      expect((await call(app, 'POST', `/api/v1/app-conversations/${id}/send-message`)).status).toBe(401);
    });

    it.each(['PAUSED', 'RUNNING', 'STARTING'])(
      'with wait=resume is a 402 for a sandbox that is %s, and neither queues nor wakes',
      async (status) => {
        const { id, sandboxId } = await doubled.conversation({ sandbox: { status, isClaimed: true } });
        await exhaust({});
        expect(outcome(await send(id, '?wait=resume'))).toEqual([402, 'budget_exhausted']);
        const queue = `/api/v1/conversations/${id}/pending-messages`;
        expect((await doubled.service.call('GET', queue)).body).toMatchObject({ items: [] });
        const [row] = await doubled.service.app.db.query<[{ status: string }]>(
          'SELECT status FROM sandboxes WHERE id = $1',
          [sandboxId],
        );
        expect(row.status).toBe(status);
      },
    );
  });

  describe('starting a conversation', () => {
    it.each<[string, () => BudgetFields]>([
      ['of the organization', () => ({})],
      ['of the caller', () => ({ scope: 'user', subject: doubled.service.owner.userId })],
      ['of the repository', () => ({ scope: 'repository', subject: 'https://github.com/acme/shop' })],
      ['of a tag', () => ({ scope: 'tag', subject: 'team:shop' })],
    ])('is a 402 where it is %s, and makes nothing', async (_, budget) => {
      await exhaust(budget());
      const id = randomUUID();
      const request = {
        conversation_id: id,
        selected_repository: 'https://github.com/acme/shop',
        tags: { team: 'shop' },
      };
      expect(outcome(await start(request))).toEqual([402, 'budget_exhausted']);
      expect((await doubled.service.call('GET', `/api/v1/app-conversations/${id}`)).status).toBe(404);
      await removeBudgets(doubled.service.app.db, doubled.service.owner.orgId);
    });

    it('is a 402 below a conversation whose budget it is, and one of another repository goes on', async () => {
      const parent = await doubled.conversation();
      await exhaust({ scope: 'conversation', subject: parent.id });
      await exhaust({ scope: 'repository', subject: 'acme/other' });
      expect((await start({ parent_conversation_id: parent.id })).status).toBe(402);
      expect((await start({})).status).toBe(200);
    });

    it('comes after the other errors of what is asked for', async () => {
      await exhaust({});
      const { id } = await doubled.conversation();
      expect(outcome(await start({ conversation_id: id }))).toEqual([409, 'conversation_id_in_use']);
      expect((await start({ parent_conversation_id: randomUUID() })).status).toBe(404);
      expect((await start({ public: true })).status).toBe(400);
    });
  });

  it('takes a message for the queue, where it waits and says for what', async () => {
    const { id } = await doubled.conversation();
    await exhaust({});
    const queue = `/api/v1/conversations/${id}/pending-messages`;
    for (const words of ['later', 'still later'])
      expect((await doubled.service.call('POST', queue, { body: saying(words) })).status).toBe(200);
    await eventually(async () =>
      expect((await doubled.service.call('GET', queue)).body).toMatchObject({
        items: [
          {
            state: 'queued',
            last_error:
              'The budget of the organization, $10 in all, has no room for this until it is raised.',
          },
          { state: 'queued', last_error: null },
        ],
      }),
    );
    expect(doubled.double.arrived(sendTo(id))).toEqual([]);
  });
});
