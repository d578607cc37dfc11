import { publishedKeys } from './published-keys';

const KEY = { kty: 'RSA', kid: 'one', use: 'sig', alg: 'RS256', n: 'AQAB', e: 'AQAB', key_ops: ['verify'] };
const set = (...keys: readonly unknown[]): string => JSON.stringify({ keys });

describe('the keys that a provider publishes', () => {
  it('are kept with what is read of them alone', () => {
    const beside = { x5c: ['a certificate'], more: Array.from({ length: 1_000 }, () => ({})), kid: 1 };
    expect(publishedKeys(set(KEY, { ...KEY, ...beside }))).toEqual([
      KEY,
      { kty: 'RSA', use: 'sig', alg: 'RS256', n: 'AQAB', e: 'AQAB', key_ops: ['verify'] },
    ]);
  });

  it.each([
    ['no JSON', 'hello'],
    ['no set', '[]'],
    ['a set without a list', '{"keys":{}}'],
    ['something else than keys', set(KEY, 1)],
    ['more than a hundred', set(...Array.from({ length: 101 }, () => KEY))],
    ['large ones', set({ ...KEY, n: 'A'.repeat(140_000) })],
  ])('are none where it answers with %s', (_, text) => {
    expect(publishedKeys(text)).toBeNull();
  });
});
