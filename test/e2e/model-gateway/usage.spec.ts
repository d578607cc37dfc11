import { GatewayFixture } from '../../support/model-provider/gateway-fixture';

let gateway: GatewayFixture;
beforeAll(async () => {
  gateway = await GatewayFixture.start();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.close());

describe('the usage of an answer', () => {
  const counted = { prompt_tokens: expect.any(Number) as number, completion_tokens: 5, status: 'ok' };

  it.each([
    ['missing', null],
    ['negative', { prompt_tokens: -5, completion_tokens: -5 }],
    ['no numbers', { prompt_tokens: 'many', completion_tokens: {} }],
    ['more than there can be', { prompt_tokens: 1e300, completion_tokens: 1e300 }],
    ['no object', 'free'],
  ])('that is %s is counted', async (_what, usage) => {
    gateway.provider.next.push({ kind: 'says', said: { usage, text: 'x'.repeat(20) } });
    expect((await gateway.chat()).status).toBe(200);
    const [row] = await gateway.ledger(1);
    expect(row).toMatchObject(counted);
    expect(row?.prompt_tokens).toBeGreaterThan(0);
  });

  it('that says nothing for a long answer counts for half of what came', async () => {
    const usage = { prompt_tokens: 0, completion_tokens: 0 };
    gateway.provider.next.push({ kind: 'says', said: { usage, text: 'x'.repeat(400) } });
    await gateway.chat();
    expect(await gateway.ledger(1)).toMatchObject([{ completion_tokens: 50 }]);
  });

  it.each([
    ['thought beside it', 14_428, 4_308],
    ['no number', 'many', 1_499],
    ['less than its parts', 3, 1_499],
  ])('whose total has %s counts', async (_what, total_tokens, completion_tokens) => {
    const usage = { prompt_tokens: 10_120, completion_tokens: 1_499, total_tokens };
    gateway.provider.next.push({ kind: 'says', said: { usage } });
    await gateway.chat();
    expect(await gateway.ledger(1)).toMatchObject([
      { prompt_tokens: 10_120, completion_tokens, usage_reported: true },
    ]);
  });

  it('that is said twice counts as it is said last', async () => {
    gateway.provider.next.push({ kind: 'usage twice' });
    await gateway.chat({ stream: true });
    expect(await gateway.ledger(1)).toMatchObject([{ prompt_tokens: 20, completion_tokens: 5 }]);
  });

  it('is found at the end of an answer that is too long to be read', async () => {
    const said = { text: 'x'.repeat(9 * 1024 * 1024) };
    gateway.provider.next.push({ kind: 'says', said });
    expect((await gateway.chat({ max_tokens: 2_000_000 })).text.length).toBeGreaterThan(said.text.length);
    const [row] = await gateway.ledger(1);
    expect(row?.prompt_tokens).toBe(20);
  });
});

describe('a usage beyond what was reserved', () => {
  const said = { usage: { prompt_tokens: 1e8, completion_tokens: 1e8 } };
  const most = { completion_tokens: 100, cost: expect.closeTo(0.001, 3) as number };

  it('counts, where the provider passed over the limit that the caller gave', async () => {
    const usage = { prompt_tokens: 20, completion_tokens: 65_536 };
    gateway.provider.next.push({ kind: 'says', said: { usage } });
    await gateway.chat({ max_tokens: 1 });
    expect(await gateway.ledger(1)).toMatchObject([{ ...usage, usage_reported: true }]);
  });

  it('is none beyond what the model can write, which counts', async () => {
    gateway.provider.next.push({ kind: 'says', said });
    await gateway.chat({ max_tokens: 100 });
    const largest = { completion_tokens: 500_000, cost: expect.closeTo(5, 3) as number };
    expect(await gateway.ledger(1)).toMatchObject([{ ...largest, usage_reported: false }]);
  });

  it('is never below the text that was read', async () => {
    const text = ` ${'x'.repeat(699_999)}`.repeat(3);
    gateway.provider.next.push({ kind: 'says', said: { ...said, text } });
    await gateway.chat({ max_tokens: 100, stream: true });
    expect(await gateway.ledger(1)).toMatchObject([{ completion_tokens: 525_000, usage_reported: false }]);
  });

  it("ends at the reservation, where the place is a member's own", async () => {
    const asked = 'openai/own-model';
    await gateway.saveProfile({ model: asked, base_url: gateway.provider.baseUrl, api_key: 'sk-own' });
    await gateway.seen();
    const usage = { prompt_tokens: 20, completion_tokens: 120 };
    gateway.provider.next.push({ kind: 'says', said: { usage } });
    await gateway.chat({ model: asked, max_tokens: 100 });
    expect(await gateway.ledger(1)).toMatchObject([{ ...most, prompt_tokens: 20, usage_reported: true }]);
  });
});
