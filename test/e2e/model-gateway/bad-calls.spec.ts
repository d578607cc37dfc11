import { type ClientRequest, request } from 'node:http';
import { eventually } from '../../support/eventually';
import { codeOf, GatewayFixture } from '../../support/model-provider/gateway-fixture';

const MEBIBYTE = 1024 * 1024;
const CHAT = { model: 'openai/test-model', messages: [{ role: 'user', content: 'Hello?' }] };

let gateway: GatewayFixture;
beforeAll(async () => {
  gateway = await GatewayFixture.start({ MODEL_GATEWAY_BODY_BYTES: String(MEBIBYTE) });
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.close());

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
      duplex: 'half',
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
    ['a stream that is neither', JSON.stringify({ ...CHAT, stream: 1 })],
    ['tools that are no list', JSON.stringify({ ...CHAT, tools: { type: 'web_search' } })],
    ['a known field in other letters', JSON.stringify({ ...CHAT, Max_Tokens: null })],
    ['a field in letters that some fold', '{"model":"openai/test-model","\u017ftream":true}'],
    ['too many fields', JSON.stringify(Object.fromEntries(Array.from({ length: 257 }, (_, n) => [n, null])))],
    ['too many levels', `{"model":"openai/test-model","messages":${'['.repeat(129)}${']'.repeat(129)}}`],
    ['too many values', `{"model":"openai/test-model","messages":[${'"":'.repeat(130_000)}`],
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

  it.each([
    'models',
    'fallbacks',
    'api_base',
    'base_url',
    'api_key',
    'extra_body',
    'preset',
    'plugins',
    'route',
    'provider',
    'custom_llm_provider',
    'prompt_id',
    'num_retries',
    'router_settings_override',
    'mcp_servers',
    'speed',
    'inference_geo',
    'web_search_options',
    'something_new',
  ])('that would have the provider do something else by %s is refused with its name', async (name) => {
    const answer = await gateway.chat({ [name]: ['openai/dear-model'] });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'parameter_refused']);
    expect(answer.text).toContain(`\\"${name}\\"`);
    expect(gateway.provider.calls).toEqual([]);
  });

  it.each([
    ['a tool that the provider runs', { tools: [{ type: 'web_search' }] }],
    ['a dated tool that it runs', { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }],
    ['a tool of no type with more in it', { tools: [{ google_search: {} }] }],
    ['a tool with a model', { tools: [{ type: 'custom', name: 'a', model: 'openai/dear-model' }] }],
    ['a tool in a message', { messages: [{ role: 'developer', tools: [{ type: 'web_search' }] }] }],
    ['a part that brings tools', { messages: [{ role: 'user', content: [{ type: 'tool_definition' }] }] }],
    ['a dearer tier', { service_tier: 'priority' }],
    ['compaction', { context_management: { edits: [{ type: 'compact_20260112' }] } }],
    ['compaction in the form of responses', { context_management: [{ type: 'compaction' }] }],
  ])('with %s is refused', async (_what, more) => {
    expect(await refused({ ...CHAT, ...more })).toEqual([400, 'parameter_refused']);
  });

  it('with what agents send is passed on', async () => {
    const more = {
      tools: [
        { type: 'function', function: { name: 'a', parameters: { properties: { model: {}, tools: {} } } } },
        { type: 'bash_20250124', name: 'bash' },
        { name: 'b', input_schema: { type: 'object' } },
      ],
      service_tier: 'flex',
      stream: null,
      fallbacks: null,
      reasoning_effort: 'high',
      context_management: { edits: [{ type: 'clear_tool_uses_20250919', keep: { type: 'tool_uses' } }] },
    };
    expect((await gateway.chat(more)).status).toBe(200);
    expect(gateway.provider.calls[0]?.body).toMatchObject(more);
  });

  it('goes on with those betas only in which the provider does nothing else', async () => {
    const betas = 'prompt-caching-2024-07-31, mcp-client-2025-11-20,claude-code-20250219, compact-2026-01-12';
    await gateway.chat({}, { 'anthropic-beta': betas });
    await gateway.chat({}, { 'anthropic-beta': 'server-side-fallback-2026-07-01' });
    const [some, none] = gateway.provider.calls.map(({ headers }) => headers['anthropic-beta']);
    expect([some, none]).toEqual(['prompt-caching-2024-07-31,claude-code-20250219', undefined]);
  });

  it('goes on without the form of the answer that it would accept', async () => {
    await gateway.chat({}, { accept: 'application/x-ndjson' });
    expect(gateway.provider.calls[0]?.headers.accept).toBeUndefined();
  });

  it('that asks for a response in the background is refused: its cost would be unseen', async () => {
    const answer = await gateway.call('/responses', { model: CHAT.model, input: 'x', background: true });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'parameter_refused']);
  });

  it('that comes byte by byte is passed on', async () => {
    const content = 'x'.repeat(3_000);
    const text = JSON.stringify({ ...CHAT, model: 'test-model', messages: [{ role: 'user', content }] });
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${gateway.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.keyOf()}` },
      });
      sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      for (const byte of text) sent.write(byte);
      sent.end();
    });
    expect([status, gateway.provider.calls[0]?.text]).toEqual([200, text]);
  });
});

it('a conversation sends two bodies of unknown length at a time, and others are answered meanwhile', async () => {
  const begin = (): ClientRequest => {
    const headers = { authorization: `Bearer ${gateway.keyOf()}`, 'content-type': 'application/json' };
    const sent = request(`${gateway.url}/chat/completions`, { method: 'POST', headers });
    sent.on('error', () => undefined).write('{');
    return sent;
  };
  let slow = [begin(), begin()];
  await eventually(async () => {
    // On a busy machine the minute that a body has may be over before the first answer.
    slow = slow.map((sent) => (sent.destroyed ? begin() : sent));
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

it('five hundred calls of a conversation at once are answered or told to come again, and the provider gets no more than it may', async () => {
  const answers = await Promise.all(Array.from({ length: 500 }, () => gateway.chat().catch(() => null)));
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

it('a key of the installation without an address and a model goes to no provider', async () => {
  const keyOnly = await GatewayFixture.start({ LLM_BASE_URL: '', LLM_MODEL: '' });
  try {
    for (const model of ['openai/test-model', 'groq/test-model', 'constructor/test-model']) {
      const answer = await keyOnly.chat({ model });
      expect([answer.status, codeOf(answer)]).toEqual([404, 'model_not_reachable']);
    }
  } finally {
    await keyOnly.close();
  }
});
