import { gzipSync } from 'node:zlib';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { codeOf, GatewayFixture } from '../../support/model-provider/gateway-fixture';

const MEBIBYTE = 1024 * 1024;

let gateway: GatewayFixture;
beforeAll(async () => {
  gateway = await GatewayFixture.start({ MODEL_GATEWAY_IDLE_SECONDS: '1' });
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.close());

/** Of a model that no other test calls: a provider that was busy is left alone for a while. */
let model = 0;
const freshModel = (): string => `openai/model-${model++}`;

it('an encoding that nobody knows passes as it is', async () => {
  const headers = { 'content-encoding': 'constructor' };
  gateway.provider.next.push({ kind: 'status', status: 200, headers, body: { choices: [] } });
  expect((await gateway.chat({ max_tokens: 100 })).status).toBe(200);
  expect(await gateway.ledger(1)).toMatchObject([{ status: 'ok', usage_reported: false }]);
});

it('a success with an error in it has failed, and costs nothing', async () => {
  for (const stream of [false, true]) {
    gateway.provider.next.push({ kind: 'error in success' });
    const { status, text } = await gateway.chat({ stream });
    expect(status).toBe(200);
    expect(text).toContain('The model has fallen over.');
  }
  expect(await gateway.ledger(2)).toMatchObject([
    { status: 'failed', cost: 0 },
    { status: 'failed', cost: 0 },
  ]);
});

it('few bytes that unpack to many pass as they are, and fill no memory', async () => {
  const bytes = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '));
  gateway.provider.next.push({ kind: 'packed', bytes });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${gateway.keyOf()}` };
  const before = process.memoryUsage().rss;
  const response = await fetch(`${gateway.url}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'openai/test-model', messages: [] }),
  });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  await response.body?.cancel();
  const [row] = await gateway.ledger(1);
  expect(row?.prompt_tokens).toBeGreaterThan(0);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
});

it('the usage of an answer that is packed counts', async () => {
  const usage = { prompt_tokens: 11, completion_tokens: 3 };
  const bytes = gzipSync(JSON.stringify({ choices: [], usage }));
  gateway.provider.next.push({ kind: 'packed', bytes });
  expect((await gateway.chat()).body).toEqual({ choices: [], usage });
  expect(await gateway.ledger(1)).toMatchObject([{ prompt_tokens: 11, completion_tokens: 3 }]);
});

describe('a stream', () => {
  it('that breaks in the middle breaks for the caller, and is settled by what came', async () => {
    gateway.provider.next.push({ kind: 'breaks' });
    await expect(gateway.chat({ stream: true })).rejects.toThrow();
    const [row] = await gateway.ledger(1);
    expect(row).toMatchObject({ status: 'interrupted' });
    expect(row?.completion_tokens).toBeGreaterThan(0);
    expect(gateway.provider.calls).toHaveLength(1);
  });

  it('whose caller hangs up ends at the provider, and is settled', async () => {
    gateway.provider.next.push({ kind: 'endless' });
    const leaving = new AbortController();
    const response = await gateway.open({ stream: true }, leaving.signal);
    const reader = response.body?.getReader();
    for (let n = 0; n < 5; n++) await reader?.read();
    leaving.abort();
    await eventually(() => expect(gateway.provider.open).toBe(0));
    const [row] = await gateway.ledger(1);
    expect(row).toMatchObject({ status: 'interrupted', http_status: 200 });
    expect(row?.prompt_tokens).toBeGreaterThan(0);
    expect(row?.completion_tokens).toBeGreaterThan(0);
  });

  it('whose caller hangs up before the usage counts by what the model may have thought in that time', async () => {
    const begunAt = performance.now();
    const hangUp = async (max_tokens: number): Promise<void> => {
      gateway.provider.next.push({ kind: 'halts' });
      const leaving = new AbortController();
      const response = await gateway.open({ stream: true, max_tokens }, leaving.signal);
      await response.body?.getReader().read();
      leaving.abort();
    };
    await hangUp(1_000);
    const [limited] = await gateway.ledger(1);
    expect(limited).toMatchObject({
      status: 'interrupted',
      completion_tokens: 1_000,
      usage_reported: false,
    });
    await hangUp(400_000);
    const [, row] = await gateway.ledger(2);
    const most = 9_000 + 4 * (performance.now() - begunAt);
    expect(row?.completion_tokens).toBeGreaterThanOrEqual(8_000);
    expect(row?.completion_tokens).toBeLessThan(Math.min(most, 400_000));
  });

  it('whose caller hangs up after the usage counts by that', async () => {
    const usage = '{"prompt_tokens":20,"completion_tokens":5}';
    const pieces = [`data: {"choices":[],"usage":${usage}}\n\n`, ...Array<string>(400).fill(': wait\n\n')];
    gateway.provider.next.push({ kind: 'bytes', type: 'text/event-stream', pieces });
    const options = { stream: true, stream_options: { include_usage: true } };
    const leaving = new AbortController();
    const response = await gateway.open(options, leaving.signal);
    await response.body?.getReader().read();
    leaving.abort();
    const expected = { status: 'interrupted', prompt_tokens: 20, completion_tokens: 5 };
    expect(await gateway.ledger(1)).toMatchObject([expected]);
  });

  it('of comments is idle', async () => {
    const pieces = Array<string>(2_000).fill(': wait\n\n');
    gateway.provider.next.push({ kind: 'bytes', type: 'text/event-stream', pieces });
    await expect(gateway.chat({ stream: true })).rejects.toThrow();
    expect(await gateway.ledger(1)).toMatchObject([{ status: 'interrupted' }]);
  });

  it('that has no end is cut off after 256 MiB', async () => {
    const piece = Buffer.alloc(4 * MEBIBYTE, ' ');
    gateway.provider.next.push({ kind: 'bytes', type: 'application/json', pieces: Array(80).fill(piece) });
    const answer = await gateway.open({ max_tokens: 100 }, new AbortController().signal);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect(await gateway.ledger(1)).toMatchObject([{ status: 'interrupted', completion_tokens: 500_000 }]);
  });

  it('that nobody reads does not fill the memory, and ends', async () => {
    gateway.provider.next.push({ kind: 'endless' });
    const leaving = new AbortController();
    await gateway.open({ stream: true }, leaving.signal);
    // It is idle, as nothing moves.
    await gateway.ledger(1);
    expect(gateway.provider.open).toBe(0);
    leaving.abort();
  });

  it('that stops speaking is ended', async () => {
    gateway.provider.next.push({ kind: 'halts' });
    await expect(gateway.chat({ stream: true })).rejects.toThrow();
    expect(await gateway.ledger(1)).toMatchObject([{ status: 'interrupted' }]);
  });
});

describe('a provider', () => {
  it('that never answers is not waited for, and the input counts', async () => {
    gateway.provider.next.push({ kind: 'waits' });
    const answer = await gateway.chat({ model: freshModel() });
    expect([answer.status, codeOf(answer)]).toEqual([504, 'provider_timeout']);
    const [row] = await gateway.ledger(1);
    expect(row).toMatchObject({ status: 'failed', completion_tokens: 0, http_status: null });
    expect(row?.prompt_tokens).toBeGreaterThan(0);
  });

  it('that refuses the key is named without it', async () => {
    const body = { error: { message: 'Incorrect API key provided: sk-of-the-installation.' } };
    gateway.provider.next.push({ kind: 'status', status: 401, body });
    const answer = await gateway.chat({ model: freshModel() });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'provider_key_refused']);
    expect(answer.text).not.toContain('sk-of');
    expect(await gateway.ledger(1)).toMatchObject([{ status: 'failed', cost: 0 }]);
  });

  it('that tells the key in what it refuses is not passed on with it', async () => {
    const body = { error: { message: 'No such model for sk-of-the-installation.' } };
    gateway.provider.next.push({ kind: 'status', status: 404, body });
    const answer = await gateway.chat({ model: freshModel() });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ error: { message: 'No such model for **********.' } });
  });

  it('that leads elsewhere is not followed', async () => {
    const headers = { location: 'http://169.254.169.254/' };
    gateway.provider.next.push({ kind: 'status', status: 307, headers });
    const answer = await gateway.chat({ model: freshModel() });
    expect([answer.status, codeOf(answer)]).toEqual([502, 'provider_unavailable']);
    expect(gateway.provider.calls).toHaveLength(1);
  });

  it('is passed on where it asks to come again later, and is then left alone', async () => {
    gateway.provider.next.push({ kind: 'status', status: 429, headers: { 'retry-after': '7' } });
    const asked = freshModel();
    const first = await gateway.chat({ model: asked });
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7']);
    const second = await gateway.chat({ model: asked });
    expect([second.status, codeOf(second)]).toEqual([429, 'provider_busy']);
    expect(Number(second.headers.get('retry-after'))).toBeLessThanOrEqual(7);
    expect(gateway.provider.calls).toHaveLength(1);
  });

  it('that asks one organization to wait is left alone by all once it has asked another one', async () => {
    const asked = freshModel();
    const { db } = gateway.app;
    const callers = [1, 2].map(async () => {
      const owner = await makeCaller(db, (await makeOrg(db)).id, 'owner');
      return { authorization: `Bearer ${gateway.keyOf(await gateway.conversationOf(owner))}` };
    });
    const [second, third] = await Promise.all(callers);
    const busy = { kind: 'status', status: 429, headers: { 'retry-after': '7' } } as const;
    gateway.provider.next.push(busy, busy);
    await gateway.chat({ model: asked });
    expect(codeOf(await gateway.chat({ model: asked }, second))).toBeUndefined();
    expect(codeOf(await gateway.chat({ model: asked }, third))).toBe('provider_busy');
    expect(gateway.provider.calls).toHaveLength(2);
  });
});

describe('the address of a provider', () => {
  const reached = async (baseUrl: string): Promise<unknown[]> => {
    const asked = `openai/model-${model++}`;
    await gateway.saveProfile({ model: asked, base_url: baseUrl, api_key: 'sk-own' });
    await gateway.seen();
    const answer = await gateway.chat({ model: asked });
    return [answer.status, codeOf(answer)];
  };

  it.each([
    'https://127.0.0.1:1/v1',
    'https://10.1.2.3/v1',
    'https://[::1]/v1',
    'https://169.254.169.254/v1',
    'https://localhost/v1',
    'https://postgres/v1',
    'https://[::ffff:10.0.0.1]/v1',
    'https://0x7f.1/v1',
    'http://93.184.216.34/v1',
  ])('%s is called only if the operator allows it', async (baseUrl) => {
    expect(await reached(baseUrl)).toEqual([502, 'provider_unavailable']);
  });

  it('may be a private one that the operator names', async () => {
    expect((await reached(gateway.provider.baseUrl))[0]).toBe(200);
  });
});
