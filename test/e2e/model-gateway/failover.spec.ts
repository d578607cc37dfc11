import { GatewayFixture } from '../../support/model-provider/gateway-fixture';
import { StubProvider } from '../../support/model-provider/stub-provider';
import { Clock } from '../../../src/kernel/common';
import { Metrics } from '../../../src/kernel/http';
import { eventually } from '../../support/eventually';
import { call } from '../../support/service/http';

let gateway: GatewayFixture;
let other: StubProvider;
beforeAll(async () => {
  other = await StubProvider.start();
  gateway = await GatewayFixture.start({
    LLM_ALLOWED_HOSTS: other.host,
    MODEL_GATEWAY_CALLS_PER_KEY: '3',
    ORGANIZATION_SHARE_PERCENT: '100',
  });
});
beforeEach(async () => {
  await gateway.reset();
  other.reset();
});
afterAll(async () => {
  await gateway.close();
  await other.stop();
});

let model = 0;
/** A model that the organization reaches at the other provider first, and at the provider of the installation after it. */
async function twice(): Promise<string> {
  const name = `openai/twice-${model++}`;
  const saved = { model: name, base_url: other.baseUrl, api_key: 'sk-of-the-organization' };
  await gateway.saveProfile(saved, 'organization');
  await gateway.seen();
  return name;
}

describe('a call goes on to the next key', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['a 429', { kind: 'status', status: 429, headers: { 'retry-after': '1' } }],
    ['a 500', { kind: 'status', status: 500 }],
    ['a 529', { kind: 'status', status: 529 }],
    ['a broken connection', { kind: 'reset' }],
  ] as const)('after %s, and costs once', async (_what, behaviour) => {
    const name = await twice();
    // The pause after a failure would be over before the next call, on a busy machine.
    const clock = gateway.app.app.get(Clock, { strict: false });
    jest.spyOn(clock, 'monotonicMs').mockReturnValue(clock.monotonicMs());
    other.next.push(behaviour);
    const answer = await gateway.chat({ model: name });
    expect(answer.status).toBe(200);
    expect([other.calls.length, gateway.provider.calls.length]).toEqual([1, 1]);
    expect(other.calls[0]?.headers.authorization).toBe('Bearer sk-of-the-organization');
    expect(gateway.provider.calls[0]?.headers.authorization).toBe('Bearer sk-of-the-installation');
    expect(await gateway.ledger(1)).toMatchObject([{ status: 'ok', prompt_tokens: 20 }]);
    // The one that failed is left alone for a moment.
    await gateway.chat({ model: name });
    expect([other.calls.length, gateway.provider.calls.length]).toEqual([1, 2]);
  });

  it('but not after a refusal that another one would repeat', async () => {
    const name = await twice();
    other.next.push({ kind: 'status', status: 400 });
    expect((await gateway.chat({ model: name })).status).toBe(400);
    expect(gateway.provider.calls).toEqual([]);
  });

  it('and never after the first byte', async () => {
    const name = await twice();
    other.next.push({ kind: 'breaks' });
    await expect(gateway.chat({ model: name, stream: true })).rejects.toThrow();
    expect([other.calls.length, gateway.provider.calls.length]).toEqual([1, 0]);
    expect(await gateway.ledger(1)).toMatchObject([{ status: 'interrupted' }]);
  });

  it('and the last one answers where all fail', async () => {
    const name = await twice();
    other.next.push({ kind: 'status', status: 500 });
    gateway.provider.next.push({ kind: 'status', status: 503, headers: { 'retry-after': '3' } });
    const answer = await gateway.chat({ model: name });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '3']);
    expect(await gateway.ledger(1)).toMatchObject([{ status: 'failed', cost: 0, http_status: 503 }]);
  });
});

it('a call is counted once, by the code of the error that it is answered with', async () => {
  const metrics = gateway.app.app.get(Metrics, { strict: false });
  const counted = async (): Promise<Record<string, number>> => {
    const text = await metrics.registry.getSingleMetricAsString('model_gateway_calls_total');
    const samples = [...text.matchAll(/\{protocol="chat",outcome="(\w+)"\} (\d+)/g)];
    return Object.fromEntries(
      samples.map(([, outcome = '', count]): [string, number] => [outcome, Number(count)]),
    );
  };
  const before = await counted();
  gateway.provider.next.push({ kind: 'status', status: 401 });
  expect((await gateway.chat()).body).toMatchObject({ error: { code: 'provider_key_refused' } });
  expect(await gateway.ledger(1)).toMatchObject([{ status: 'failed' }]);
  const { provider_key_refused: refused = 0, ...others } = before;
  expect(await counted()).toEqual({ ...others, provider_key_refused: refused + 1 });
});

it('a call is tried at five places at most', async () => {
  const name = `openai/many-${model++}`;
  for (let n = 0; n < 7; n++)
    await gateway.saveProfile({ model: name, base_url: other.baseUrl, api_key: `sk-${n}` }, 'organization');
  await gateway.seen();
  for (let n = 0; n < 7; n++) other.next.push({ kind: 'status', status: 500 });
  expect((await gateway.chat({ model: name })).status).toBe(500);
  const texts = new Set(other.calls.map(({ text }) => text));
  expect([other.calls.length, texts.size, gateway.provider.calls.length]).toEqual([5, 1, 0]);
});

it("a member's own key is for them, and nobody else's stands in for it", async () => {
  const name = `openai/own-${model++}`;
  await gateway.saveProfile({ model: name, base_url: other.baseUrl, api_key: 'sk-own' });
  await gateway.seen();
  other.next.push({ kind: 'status', status: 500 });
  expect((await gateway.chat({ model: name })).status).toBe(500);
  expect(other.calls[0]?.headers.authorization).toBe('Bearer sk-own');
  expect(gateway.provider.calls).toEqual([]);
});

it('no more calls are made at a time with a key than may be, and the others wait for their turn', async () => {
  gateway.provider.delayMs = 30;
  const answers = await Promise.all(Array.from({ length: 12 }, () => gateway.chat()));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(gateway.provider.mostOpen).toBe(3);
  await gateway.ledger(12);
});

it('a call whose place is taken goes to another key at once', async () => {
  const name = await twice();
  other.next.push({ kind: 'waits' }, { kind: 'waits' }, { kind: 'waits' });
  const waiting = Array.from({ length: 3 }, () => gateway.chat({ model: name }));
  await eventually(() => expect(other.open).toBe(3));
  expect((await gateway.chat({ model: name })).status).toBe(200);
  expect(gateway.provider.calls).toHaveLength(1);
  other.release();
  expect((await Promise.all(waiting)).every(({ status }) => status === 200)).toBe(true);
});

it('what an organization does not allow is refused with the sentence and the code, and counted', async () => {
  const { key, orgId } = gateway.owner;
  const path = `/api/organizations/${orgId}/model-policy`;
  const saved = await call(gateway.app, 'PUT', path, {
    key,
    body: { allowed_models: ['openai/allowed*'], allowed_by_role: {}, max_output_tokens: 50 },
  });
  expect(saved.status).toBe(200);
  await eventually(async () => {
    const answer = await gateway.chat();
    expect([answer.status, answer.body]).toMatchObject([
      403,
      { error: { type: 'permission_error', code: 'model_not_allowed' } },
    ]);
  });
  gateway.provider.reset();
  expect((await gateway.chat({ model: 'openai/allowed-1' })).status).toBe(200);
  expect((await gateway.chat({ model: 'openai/allowed-1', max_tokens: 500 })).status).toBe(200);
  expect((await gateway.chat({ model: 'openai/allowed-1', max_tokens: 7 })).status).toBe(200);
  expect(
    gateway.provider.calls.map(({ body }) => [body['max_completion_tokens'], body['max_tokens']]),
  ).toEqual([
    [50, undefined],
    [undefined, 50],
    [undefined, 7],
  ]);
  const refusals = await call<{ refusals: unknown[] }>(
    gateway.app,
    'GET',
    `/api/organizations/${orgId}/model-refusals`,
    { key },
  );
  expect(JSON.stringify(refusals.body)).toContain('model_not_allowed');
});

it('a hundred calls with room for one spend one, and the others are told which budget has none', async () => {
  const { orgId, userId } = gateway.owner;
  await gateway.app.db.query(
    `INSERT INTO budgets (id, org_id, scope, subject, period, limit_usd, created_by_user_id)
     VALUES (gen_random_uuid(), $1, 'organization', '', 'total', 0.0011, $2)`,
    [orgId, userId],
  );
  gateway.provider.delayMs = 20;
  const asked = { model: 'openai/allowed-1', max_tokens: 50 };
  const answers = await Promise.all(Array.from({ length: 100 }, () => gateway.chat(asked)));
  const spent = answers.filter(({ status }) => status === 200);
  expect(spent).toHaveLength(gateway.provider.calls.length);
  expect(answers.filter(({ status }) => status !== 200)[0]).toMatchObject({
    status: 402,
    body: { error: { type: 'billing_error', code: 'budget_exhausted', budget: { scope: 'organization' } } },
  });
  const [{ spent_usd: dollars } = { spent_usd: 'none' }] = await eventually(async () => {
    const rows = await gateway.app.db.query<{ spent_usd: string; reserved_usd: string }[]>(
      'SELECT spent_usd, reserved_usd FROM budget_spending',
    );
    expect(rows.map(({ reserved_usd: left }) => Number(left))).toEqual([0]);
    return rows;
  });
  expect(Number(dollars)).toBeLessThanOrEqual(0.0011);
});
