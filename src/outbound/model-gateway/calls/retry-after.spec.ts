import { retryAfterMs } from './provider-tries';

describe('what a provider asks to wait', () => {
  it.each([
    ['whole seconds', { 'retry-after': '3' }, 3_000],
    ['a fraction', { 'retry-after': '1.5' }, 1_500],
    ['milliseconds beside them', { 'retry-after': '2', 'retry-after-ms': '1250.5' }, 1_250.5],
    ['a time that is over', { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }, 0],
    ['nothing', {}, null],
    ['a day that there is not', { 'retry-after': 'Sun, 99 Nov 2026 99:99:99 GMT' }, null],
    ['a sentence', { 'retry-after': 'after lunch 2' }, null],
    ['a negative number', { 'retry-after': '-1' }, null],
  ])('as %s', (_what, headers, milliseconds) => {
    expect(retryAfterMs(headers)).toBe(milliseconds);
  });

  it('as a time to come', () => {
    const at = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 60_000);
    const asked = retryAfterMs({ 'retry-after': at.toUTCString() });
    expect(asked).toBeGreaterThan(55_000);
    expect(asked).toBeLessThanOrEqual(61_000);
  });
});
