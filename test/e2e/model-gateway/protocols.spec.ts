import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { eventually } from '../../support/eventually';
import { GatewayFixture } from '../../support/model-provider/gateway-fixture';

const MODEL = 'openai/test-model';
const QUESTION = [{ role: 'user' as const, content: 'Hello?' }];

let gateway: GatewayFixture;
beforeAll(async () => {
  gateway = await GatewayFixture.start();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.close());

describe("the official client of OpenAI's API, unchanged", () => {
  const client = (): OpenAI => new OpenAI({ baseURL: gateway.url, apiKey: gateway.keyOf(), maxRetries: 0 });

  it('has a chat answered, and the call is in the ledger as the provider counted it', async () => {
    const answer = await client().chat.completions.create({ model: MODEL, messages: QUESTION });
    expect(answer.choices[0]?.message.content).toBe('Hello from the model.');
    expect(answer.usage?.prompt_tokens).toBe(20);
    expect(gateway.provider.calls[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-of-the-installation' },
      body: { model: 'test-model', messages: QUESTION },
    });
    expect(await gateway.ledger(1)).toMatchObject([
      {
        model: MODEL,
        status: 'ok',
        prompt_tokens: 20,
        completion_tokens: 5,
        cache_read_tokens: 4,
        cost: (16 * 1 + 4 * 0.1 + 5 * 10) / 1e6,
        http_status: 200,
      },
    ]);
  });

  it('reads a stream word by word, without the piece of usage that it did not ask for', async () => {
    const stream = await client().chat.completions.create({ model: MODEL, messages: QUESTION, stream: true });
    const pieces = [];
    for await (const piece of stream) pieces.push(piece);
    expect(pieces.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(
      'Hello from the model.',
    );
    expect(pieces.every(({ choices, usage }) => choices.length === 1 && !usage)).toBe(true);
    expect(gateway.provider.calls[0]?.body['stream_options']).toEqual({ include_usage: true });
    expect(await gateway.ledger(1)).toMatchObject([
      { status: 'ok', prompt_tokens: 20, completion_tokens: 5 },
    ]);
  });

  it('gets the usage of a stream where it asks for it', async () => {
    const options = { include_usage: true };
    const stream = await client().chat.completions.create({
      model: MODEL,
      messages: QUESTION,
      stream: true,
      stream_options: options,
    });
    let usage;
    for await (const piece of stream) usage = piece.usage ?? usage;
    expect(usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 5 });
    await gateway.ledger(1);
  });

  it('has a response, and a streamed one', async () => {
    const answer = await client().responses.create({ model: MODEL, input: 'Hello?' });
    expect(answer.output_text).toBe('Hello from the model.');
    const stream = await client().responses.create({ model: MODEL, input: 'Hello?', stream: true });
    let text = '';
    for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta;
    expect(text).toBe('Hello from the model.');
    const rows = await gateway.ledger(2);
    expect(rows).toMatchObject([
      { status: 'ok', prompt_tokens: 20, completion_tokens: 5, cache_read_tokens: 4 },
      { status: 'ok', prompt_tokens: 20, completion_tokens: 5, cache_read_tokens: 4 },
    ]);
  });

  it('has texts embedded', async () => {
    const answer = await client().embeddings.create({
      model: MODEL,
      input: 'Hello?',
      encoding_format: 'float',
    });
    expect(answer.data[0]?.embedding).toEqual([0.25, -0.5]);
    expect(await gateway.ledger(1)).toMatchObject([
      { status: 'ok', prompt_tokens: 20, completion_tokens: 0 },
    ]);
  });

  it('lists the models that are set', async () => {
    const { data } = await client().models.list();
    expect(data).toMatchObject([{ id: MODEL, object: 'model', owned_by: 'openai' }]);
  });

  it('reads why it is refused', async () => {
    const stranger = new OpenAI({ baseURL: gateway.url, apiKey: 'ocs-llm-nothing', maxRetries: 0 });
    const refused = await stranger.models.list().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(refused).toMatchObject({ status: 401, code: 'model_key_invalid' });
  });
});

describe("the official client of Anthropic's API, unchanged", () => {
  const client = (): Anthropic =>
    new Anthropic({ baseURL: gateway.url.replace(/\/v1$/, ''), apiKey: gateway.keyOf(), maxRetries: 0 });
  const asked = { model: MODEL, max_tokens: 100, messages: QUESTION };

  it('has a message answered', async () => {
    const answer = await client().messages.create(asked);
    expect(answer.content).toMatchObject([{ type: 'text', text: 'Hello from the model.' }]);
    expect(gateway.provider.calls[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'sk-of-the-installation' },
      body: { model: 'test-model', max_tokens: 100 },
    });
    expect(await gateway.ledger(1)).toMatchObject([
      { status: 'ok', prompt_tokens: 20, completion_tokens: 5, cache_read_tokens: 4 },
    ]);
  });

  it('reads a stream as it comes', async () => {
    const message = await client().messages.stream(asked).finalMessage();
    expect(message.content).toMatchObject([{ type: 'text', text: 'Hello from the model.' }]);
    expect(message.usage.output_tokens).toBe(5);
    expect(await gateway.ledger(1)).toMatchObject([
      { status: 'ok', prompt_tokens: 20, completion_tokens: 5, cache_read_tokens: 4 },
    ]);
  });

  it('reads why it is refused', async () => {
    const stranger = new Anthropic({ baseURL: gateway.url.replace(/\/v1$/, ''), apiKey: 'x', maxRetries: 0 });
    const refused = await stranger.messages.create(asked).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Anthropic.AuthenticationError);
    expect(refused).toMatchObject({
      status: 401,
      error: { type: 'error', error: { type: 'authentication_error', code: 'model_key_invalid' } },
    });
  });
});

it('a call goes on with the bytes that came, but for the name of the model', async () => {
  const text =
    '{ "seed":12345678901234567890, "model" : "openai/test-model" ,"messages":[{"role":"user","content":"\\u0061 \\"model\\": {\\n"}] }';
  await gateway.call('/chat/completions', text);
  expect(gateway.provider.calls[0]?.text).toBe(text.replace('openai/test-model', 'test-model'));
});

it('a stream comes as the bytes that the provider sent, one by one', async () => {
  const bytes = 'event: a\r\ndata: {"x":1}\r\n\r\n: comment\n\ndata: [DONE]\n\n';
  gateway.provider.next.push({ kind: 'bytes', type: 'text/event-stream', pieces: bytes.split('') });
  const { text } = await gateway.chat({ stream: true });
  expect(text).toBe(bytes);
});

it('an answer has the id of the request, and nothing of the provider but what describes it', async () => {
  gateway.provider.next.push({
    kind: 'status',
    status: 200,
    headers: { 'set-cookie': 'a=b', 'x-request-id': 'theirs', 'openai-organization': 'org-secret' },
    body: { choices: [] },
  });
  const { headers } = await gateway.chat();
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('set-cookie')).toBeNull();
  expect(headers.get('openai-organization')).toBeNull();
  await eventually(() => expect(gateway.provider.open).toBe(0));
});
