import fc from 'fast-check';
import { readSettings } from '../../../kernel/config';
import { LISTED_PRICES } from './listed-prices';
import { ModelPrices } from './model-prices';
import { costOf, mostOf } from './price';

const pricesWith = (env: Readonly<Record<string, string>> = {}) => new ModelPrices(readSettings(env));
const NONE = { prompt: 0, completion: 0, cacheRead: 0, cacheWrite: 0 };

describe('the price of a model', () => {
  it('is that of the lists, by its name with the provider or without', () => {
    const prices = pricesWith();
    expect(prices.priceOf('openai/gpt-5')).toMatchObject({ input: 1.25, output: 10 });
    expect(prices.find('gpt-5')).toMatchObject({ model: 'openai/gpt-5', source: 'built_in' });
    expect(prices.priceOf('openrouter/openai/gpt-5')).toBeNull();
    expect(prices.priceOf('__proto__')).toBeNull();
    expect(prices.priceOf('constructor')).toBeNull();
  });

  it('is that of the settings first, by the closest pattern', () => {
    const MODEL_PRICES = JSON.stringify({
      'openai/*': { input: 9, output: 90 },
      'openai/gpt-5': { input: 1, output: 2, cache_read: 0.5 },
      'house/*': { input: 0, output: 0 },
    });
    const prices = pricesWith({ MODEL_PRICES });
    expect(prices.priceOf('gpt-5')).toMatchObject({ input: 1, output: 2, cacheRead: 0.5 });
    expect(prices.find('openai/gpt-4o')).toMatchObject({
      model: 'openai/*',
      price: { input: 9 },
      listedOn: null,
    });
    expect(prices.priceOf('house/model')).toEqual({ input: 0, output: 0 });
    expect(
      prices
        .all()
        .slice(0, 2)
        .map(({ model }) => model),
    ).toEqual(['house/*', 'openai/*']);
  });

  it('is, where nobody knows it, none, or the worst that is set', () => {
    expect(pricesWith().priceOf('house/model')).toBeNull();
    const prices = pricesWith({ MODEL_PRICE_UNKNOWN: '15, 75.5' });
    expect(prices.find('house/model')).toMatchObject({
      source: 'unknown',
      price: { input: 15, output: 75.5 },
    });
  });

  it.each([
    [{ MODEL_PRICES: '{"a": {"input": -1, "output": 1}}' }],
    [{ MODEL_PRICES: '{"a": {"input": 1}}' }],
    [{ MODEL_PRICES: '{"a": {"input": 1, "output": 1, "more": 1}}' }],
    [{ MODEL_PRICES: '{"a": {"input": "1", "output": 1}}' }],
    [{ MODEL_PRICES: '[]' }],
    [{ MODEL_PRICES: 'cheap' }],
    [{ MODEL_PRICE_UNKNOWN: '15' }],
    [{ MODEL_PRICE_UNKNOWN: '-1,2' }],
    [{ MODEL_PRICE_UNKNOWN: 'free' }],
  ])('is not set by %j', (env) => {
    expect(() => readSettings(env)).toThrow('MODEL_PRICE');
  });

  it('is in every list more than nothing, and of input at most that of input remembered', () => {
    for (const [model, { input, output, cacheRead = 0, largestOutput = 1 }] of Object.entries(
      LISTED_PRICES,
    )) {
      expect([model, input > 0, output >= 0, cacheRead <= input, largestOutput >= 0]).toEqual([
        model,
        true,
        true,
        true,
        true,
      ]);
    }
  });
});

describe('what tokens cost', () => {
  const price = {
    input: 2,
    output: 10,
    cacheRead: 0.5,
    cacheWrite: 4,
    cacheWriteLong: 6,
    beyond: { tokens: 1_000_000, input: 4, output: 20 },
  };

  it.each([
    [{ prompt: 1_000_000 }, 2],
    [{ completion: 1_000_000 }, 10],
    [{ prompt: 1_000_000, cacheRead: 500_000 }, 1.25],
    [{ prompt: 1_000_000, cacheWrite: 500_000 }, 3],
    [{ prompt: 1_000_000, cacheWrite: 500_000, cacheWriteLong: 500_000 }, 4],
    [{ prompt: 2_000_000, completion: 1_000_000 }, 28],
    [{ prompt: 100, cacheRead: 1_000 }, 0.00005],
    [{ prompt: -5, completion: Number.NaN, cacheRead: Infinity }, 0],
  ])('%j: %d dollars', (tokens, dollars) => {
    expect(costOf(price, { ...NONE, ...tokens })).toBeCloseTo(dollars, 9);
  });

  it('is never more than the most that was reckoned with', () => {
    const rate = fc.double({ min: 0, max: 100, noNaN: true });
    const rates = fc.record({
      input: rate,
      output: rate,
      cacheRead: rate,
      cacheWrite: rate,
      cacheWriteLong: rate,
    });
    const count = fc.nat({ max: 2_000_000 });
    const counts = fc.record({
      threshold: count,
      inputBytes: count,
      output: count,
      prompt: count,
      read: count,
    });
    fc.assert(
      fc.property(rates, rates, counts, count, (near, far, given, cacheWrite) => {
        const { inputBytes, output: maxOutputTokens, read: cacheRead } = given;
        const price = { ...near, beyond: { ...far, tokens: given.threshold } };
        const tokens = {
          prompt: Math.min(given.prompt, inputBytes),
          completion: maxOutputTokens,
          cacheRead,
          cacheWrite,
          cacheWriteLong: cacheRead,
        };
        const most = mostOf(price, { inputBytes, maxOutputTokens });
        expect(costOf(price, tokens)).toBeLessThanOrEqual(most.cost + 1e-9);
        expect(tokens.prompt + tokens.completion).toBeLessThanOrEqual(most.tokens);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is reckoned with the largest answer of the model where the call has no limit', () => {
    const size = { inputBytes: 0, maxOutputTokens: null };
    expect(mostOf({ input: 1, output: 1, largestOutput: 1_000 }, size).tokens).toBe(1_000);
    expect(mostOf({ input: 1, output: 1 }, size).tokens).toBe(500_000);
    expect(
      mostOf({ input: 1, output: 1 }, { ...size, inputBytes: 5, maxOutputTokens: 7, namedTokens: 3 }).tokens,
    ).toBe(15);
    const long = { ...size, inputBytes: 3_000_000, maxOutputTokens: 7, namedTokens: 3_000_000 };
    expect(mostOf({ input: 1, output: 1 }, long).tokens).toBe(2_000_007);
  });
});
