import { request } from 'node:http';
import { eventually } from '../../support/eventually';
import { GatewayFixture } from '../../support/model-provider/gateway-fixture';
import { makeCaller, makeKey, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';

const MEBIBYTE = 1024 * 1024;
const CHAT = { model: 'openai/test-model', messages: [{ role: 'user', content: 'Hello?' }] };

let gateway: GatewayFixture;
beforeAll(async () => {
  gateway = await GatewayFixture.start({ MODEL_GATEWAY_BODY_BYTES: String(MEBIBYTE) });
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.close());

const codeOf = ({ body }: { body: Record<string, unknown> | null }): unknown =>
  (body?.['error'] as Record<string, unknown> | undefined)?.['code'];

describe('a key', () => {
  const asked = async (authorization: string): Promise<unknown[]> => {
    const answer = await gateway.chat({}, { authorization });
    expect(gateway.provider.calls).toEqual([]);
    return [answer.status, codeOf(answer)];
  };
  const REFUSED = [401, 'model_key_invalid'];

  it('of nobody, of a person, or changed opens nothing', async () => {
    const key = gateway.keyOf();
    const { key: ofPerson } = await makeKey(gateway.app.db, gateway.owner.userId);
    const changed = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
    for (const wrong of ['', 'Basic YTpi', 'Bearer x', `Bearer ${ofPerson}`, `Bearer ${changed}`])
      expect(await asked(wrong)).toEqual(REFUSED);
  });

  it('of a conversation that is not there opens nothing', async () => {
    const unknown = gateway.keyOf('7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11');
    expect(await asked(`Bearer ${unknown}`)).toEqual(REFUSED);
  });

  it.each([
    ['deleted', 'UPDATE conversations SET deleted_at = now() WHERE id = $1'],
    [
      'paused',
      `UPDATE sandboxes SET status = 'PAUSED' WHERE id = (SELECT sandbox_id FROM conversations WHERE id = $1)`,
    ],
    [
      'stopping',
      `UPDATE sandboxes SET stopping = 'delete' WHERE id = (SELECT sandbox_id FROM conversations WHERE id = $1)`,
    ],
    [
      'left by its creator',
      'DELETE FROM org_members WHERE user_id = (SELECT created_by_user_id FROM conversations WHERE id = $1)',
    ],
  ])('of a conversation that is %s opens nothing', async (_what, sql) => {
    const { db } = gateway.app;
    const id = await gateway.conversationOf(await makeCaller(db, (await makeOrg(db)).id));
    await db.query(sql, [id]);
    expect(await asked(`Bearer ${gateway.keyOf(id)}`)).toEqual(REFUSED);
  });

  it('ends with its sandbox, while calls are made', async () => {
    const { db } = gateway.app;
    const id = await gateway.conversationOf(await makeCaller(db, (await makeOrg(db)).id));
    const headers = { authorization: `Bearer ${gateway.keyOf(id)}` };
    expect((await gateway.chat({}, headers)).status).toBe(200);
    await db.query(
      `UPDATE sandboxes SET status = 'PAUSED' WHERE id = (SELECT sandbox_id FROM conversations WHERE id = $1)`,
      [id],
    );
    const answer = await gateway.chat({}, headers);
    expect([answer.status, codeOf(answer)]).toEqual(REFUSED);
    expect(gateway.provider.calls).toHaveLength(1);
  });

  it('of a conversation opens nothing but the gateway', async () => {
    const key = gateway.keyOf();
    for (const path of ['/api/v1/users/me', '/api/v1/app-conversations/search', '/api/organizations'])
      expect((await call(gateway.app, 'GET', path, { key })).status).toBe(401);
    const headers = { 'X-Session-API-Key': key };
    const secrets = await fetch(`${gateway.app.url}/api/v1/users/me?expose_secrets=true`, { headers });
    expect(secrets.status).toBe(401);
  });
});

describe('a body', () => {
  const refused = async (body: unknown, headers?: Record<string, string>): Promise<unknown[]> => {
    const answer = await gateway.call('/chat/completions', body, headers);
    expect(gateway.provider.calls).toEqual([]);
    return [answer.status, codeOf(answer)];
  };

  it('that is too large is refused before it is read', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${gateway.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.keyOf()}`, 'content-length': 100 * MEBIBYTE },
      });
      sent.on('response', (response) => resolve(response.statusCode)).on('error', reject);
      sent.write('{');
    });
    expect(status).toBe(413);
  });

  it('that turns out to be too large is refused', async () => {
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    });
    const answer = await fetch(`${gateway.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.keyOf()}` },
      body: stream,
      ...{ duplex: 'half' },
    }).catch(() => null);
    if (answer !== null) expect(answer.status).toBe(413);
    expect(gateway.provider.calls).toEqual([]);
  });

  it('that is compressed is refused', async () => {
    expect(await refused('x', { 'content-encoding': 'gzip' })).toEqual([415, 'content_encoding_unsupported']);
  });

  it.each([
    ['no JSON', '{"model": "openai/test-model",'],
    ['no object', '["openai/test-model"]'],
    ['a model twice', '{"model":"openai/test-model","model":"openai/dear-model"}'],
    ['a model twice in other letters', '{"model":"openai/test-model","mod\\u0065l":"openai/dear-model"}'],
    ['no model', '{"messages":[]}'],
    ['a model that is a number', '{"model":5}'],
    ['a negative number of tokens', JSON.stringify({ ...CHAT, max_tokens: -1 })],
    ['a number of tokens that is none', '{"model":"openai/test-model","max_tokens":1e999}'],
    ['no answers', JSON.stringify({ ...CHAT, n: 0 })],
  ])('with %s is refused', async (_what, body) => {
    expect(await refused(body)).toEqual([400, 'model_call_invalid']);
  });

  it.each([
    '',
    ' ',
    'a b',
    'a"b',
    "a'b",
    'a\nb',
    'a\u0000b',
    '../x',
    '*',
    'é',
    '<script>',
    'x'.repeat(256),
    '$(id)',
  ])('with the odd name %j of a model is refused', async (model) => {
    expect(await refused({ ...CHAT, model })).toEqual([400, 'model_call_invalid']);
  });

  it.each(['models', 'fallbacks', 'api_base', 'base_url', 'api_key'])(
    'that would have the provider go elsewhere by %s is refused',
    async (name) => {
      expect(await refused({ ...CHAT, [name]: ['openai/dear-model'] })).toEqual([400, 'parameter_refused']);
    },
  );

  it('that asks for a response in the background is refused: its cost would be unseen', async () => {
    const answer = await gateway.call('/responses', { model: CHAT.model, input: 'x', background: true });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'parameter_refused']);
  });

  it('that is deep is passed on as it is', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    await gateway.call('/chat/completions', `{"model":"openai/test-model","messages":${deep}}`);
    expect(gateway.provider.calls[0]?.text).toContain(deep);
  });
});

it('a conversation sends two bodies of unknown length at a time, and others are answered meanwhile', async () => {
  const slow = [1, 2].map(() => {
    const headers = { authorization: `Bearer ${gateway.keyOf()}`, 'content-type': 'application/json' };
    const sent = request(`${gateway.url}/chat/completions`, { method: 'POST', headers });
    sent.on('error', () => undefined).write('{');
    return sent;
  });
  await eventually(async () => {
    const answer = await gateway.chat();
    expect([answer.status, codeOf(answer)]).toEqual([429, 'model_gateway_busy']);
  });
  const other = gateway.keyOf(await gateway.conversationOf(gateway.owner));
  expect((await gateway.chat({}, { authorization: `Bearer ${other}` })).status).toBe(200);
  for (const sent of slow) sent.destroy();
  await eventually(async () => expect((await gateway.chat()).status).toBe(200));
});

it('a conversation makes so many calls in a minute, and is told when to come again', async () => {
  const authorization = `Bearer ${gateway.keyOf(await gateway.conversationOf(gateway.owner))}`;
  for (let calls = 0; calls < 600; calls += 50)
    await Promise.all(Array.from({ length: 50 }, () => gateway.call('/messages', '{}', { authorization })));
  const answer = await gateway.call('/messages', '{}', { authorization });
  expect([answer.status, codeOf(answer)]).toEqual([429, 'request_limit_reached']);
  expect(answer.body).toMatchObject({ type: 'error' });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await gateway.chat()).status).toBe(200);
});

it('what is no operation of the gateway is refused in its form', async () => {
  const headers = { authorization: `Bearer ${gateway.keyOf()}` };
  const unknown = await fetch(`${gateway.url}/files`, { headers });
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { code: 'path_not_found' } }]);
  const method = await fetch(`${gateway.url}/messages`, { headers });
  expect([method.status, await method.json()]).toMatchObject([
    405,
    { type: 'error', error: { type: 'invalid_request_error', code: 'method_not_allowed' } },
  ]);
});

it('ten thousand calls at once are answered or told to come again, and the provider gets no more than it may', async () => {
  const rounds = process.env.LONG === 'yes' ? 10_000 : 500;
  const answers = await Promise.all(Array.from({ length: rounds }, () => gateway.chat().catch(() => null)));
  const statuses = new Set(answers.map((answer) => answer?.status));
  expect([...statuses].every((status) => status === 200 || status === 429)).toBe(true);
  expect(gateway.provider.mostOpen).toBeLessThanOrEqual(64);
  const answered = answers.filter((answer) => answer?.status === 200).length;
  expect(answered).toBeGreaterThan(0);
  expect(gateway.provider.calls).toHaveLength(answered);
  await gateway.ledger(answered);
});

it('without the gateway there is nothing', async () => {
  const off = await GatewayFixture.start({ MODEL_GATEWAY: 'off' });
  try {
    expect((await off.chat()).status).toBe(404);
  } finally {
    await off.close();
  }
});
