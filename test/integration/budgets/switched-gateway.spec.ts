import { randomUUID } from 'node:crypto';
import { BudgetUpkeep, ModelCalls } from '../../../src/agents/budgets';
import { digestOf } from '../../../src/kernel/common';
import type { OrgUsage } from '../../../src/conversations/conversations/org-list/usage/usage.dto';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import {
  callOf,
  makeBudget,
  makeConversation,
  outcomeOf,
  spendingOf,
  type SpendingConversation,
} from '../../support/budgets/spending';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

let database: TestDatabase;
/** The service before and after its operator turns the gateway off. */
let on: TestApp;
let off: TestApp;
let owner: TestCaller;
let conversation: SpendingConversation;
let budget: string;
beforeAll(async () => {
  database = await createTestDatabase();
  on = await startTestApp({ database, env: { APP_ROLE: 'api', MODEL_GATEWAY: 'on' } });
  off = await startTestApp({ database, env: { APP_ROLE: 'api' } });
});
afterAll(async () => {
  await on.close();
  await off.close();
  await database.drop();
});
beforeEach(async () => {
  owner = await makeCaller(on.db, (await makeOrg(on.db)).id, 'owner');
  conversation = await makeConversation(on.db, { orgId: owner.orgId, userId: owner.userId });
  const key = [conversation.sandboxId, digestOf(conversation.sandboxId)];
  await on.db.query('UPDATE sandboxes SET session_key_digest = $2 WHERE id = $1', key);
  budget = await makeBudget(on.db, owner.orgId, { usd: 1_000 });
});

/** A call through the gateway. */
async function calls(cost: number, tokens: number): Promise<void> {
  const service = on.app.get(ModelCalls);
  await service.settle(await service.reserve(callOf(conversation, cost)), outcomeOf(cost, tokens, 0));
}

/** What the agent server says that it has spent in all; with an event that is new, or about the conversation itself. */
async function reports(
  to: TestApp,
  cost: number,
  tokens: number,
  by: 'event' | 'info' = 'event',
): Promise<void> {
  const used = { accumulated_cost: cost, accumulated_token_usage: { prompt_tokens: tokens } };
  const stats = { usage_to_metrics: { agent: used } };
  const event = { id: randomUUID(), kind: 'ConversationStateUpdateEvent', key: 'stats', value: stats };
  const [path, body] =
    by === 'event'
      ? [`/events/${conversation.id}`, [event]]
      : ['/conversations', { id: conversation.id, stats }];
  const { status } = await call(to, 'POST', `/api/v1/webhooks${path}`, {
    headers: { 'X-Session-API-Key': conversation.sandboxId },
    body,
  });
  expect(status).toBe(200);
}

/** What counts, in each place in which it is counted. */
async function counted(): Promise<unknown> {
  await off.app.get(BudgetUpkeep).run();
  const get = async <Body>(path: string): Promise<Body> =>
    (await call<Body>(off, 'GET', `/api/organizations/${owner.orgId}${path}`, { key: owner.key })).body;
  const { totals } = await get<OrgUsage>('/usage');
  const list = await get<{ items: { accumulated_cost: number; prompt_tokens: number }[] }>('/conversations');
  const spent = await spendingOf(off.db, budget);
  return {
    budget: [spent.spent_usd, spent.spent_tokens],
    usage: [totals.accumulated_cost, totals.prompt_tokens],
    list: list.items.map((item) => [item.accumulated_cost, item.prompt_tokens]),
  };
}
const everywhere = (cost: number, tokens: number): unknown => ({
  budget: [cost, tokens],
  usage: [cost, tokens],
  list: [[cost, tokens]],
});

it('what is reported counts while the gateway is off, and what is called while it is on', async () => {
  await calls(1, 100);
  // As the agent server reckons, which is not what the call cost.
  await reports(on, 0.75, 90);
  expect(await counted()).toEqual(everywhere(1, 100));
  await reports(off, 0.75, 90);
  expect(await counted()).toEqual(everywhere(1, 100));
  await reports(off, 2.75, 290);
  expect(await counted()).toEqual(everywhere(3, 300));
  await reports(off, 3.75, 390, 'info');
  expect(await counted()).toEqual(everywhere(4, 400));
  await calls(2, 50);
  await reports(on, 8, 600, 'info');
  expect(await counted()).toEqual(everywhere(6, 450));
  await reports(off, 9, 700);
  expect(await counted()).toEqual(everywhere(7, 550));
});

it('a call counts once that is reported only when the gateway is off', async () => {
  await calls(1, 100);
  await reports(on, 1, 100);
  await calls(2, 200);
  await reports(off, 3, 300);
  expect(await counted()).toEqual(everywhere(3, 300));
  await reports(off, 3.5, 350);
  expect(await counted()).toEqual(everywhere(3.5, 350));
});

it('a call counts once whose conversation never reported while the gateway was on', async () => {
  await reports(off, 1, 100);
  await calls(2, 200);
  await reports(off, 3, 300);
  await reports(off, 4, 400);
  expect(await counted()).toEqual(everywhere(4, 400));
});

it('a call that is lost counts once, though the gateway is off by then', async () => {
  const { id } = await on.app.get(ModelCalls).reserve(callOf(conversation, 2, 200));
  await reports(off, 1, 100);
  await off.db.query('UPDATE model_calls SET process_id = gen_random_uuid() WHERE id = $1', [id]);
  // A minute may not have passed since the start of the database.
  await off.db.query(`SELECT lose_model_calls('0.2 seconds', 100)`);
  expect(await counted()).toEqual(everywhere(3, 300));
});

it('reports that go back, or begin anew, take nothing away and add nothing twice', async () => {
  await calls(1, 100);
  await reports(on, 1, 100);
  await reports(on, 0, 0);
  await reports(off, 0.5, 50);
  await reports(off, 2, 200);
  await reports(off, 1.5, 150);
  await reports(off, 2, 200);
  expect(await counted()).toEqual(everywhere(2, 200));
  await calls(1, 100);
  await reports(on, 0.25, 25);
  await reports(off, 0.75, 75);
  expect(await counted()).toEqual(everywhere(3.5, 350));
});
