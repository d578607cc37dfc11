import { delayAfter, retryAfterMs } from './back-off';

const NOW = new Date('2026-11-21T09:30:00Z');
const HOUR = 3_600_000;

describe('a Retry-After', () => {
  it.each<[header: string | undefined, ms: number | null]>([
    ['120', 120_000],
    ['0', 0],
    [' 7 ', 7_000],
    ['Sat, 21 Nov 2026 09:31:00 GMT', 60_000],
    ['Saturday, 21-Nov-26 09:31:00 GMT', 60_000],
    ['Sat, 21 Nov 2026 09:29:00 GMT', 0],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
    ['9'.repeat(400), null],
    [undefined, null],
  ])('%p asks for %p ms', (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });
});

describe('the pause after a failure', () => {
  it('lengthens from five seconds to eight hours, a fifth more or less', () => {
    const seconds = [5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 28_800, 28_800, 28_800];
    seconds.forEach((planned, index) => {
      expect(delayAfter(index + 1, null, 0)).toBe(800 * planned);
      expect(delayAfter(index + 1, null, 0.5)).toBe(1_000 * planned);
      expect(delayAfter(index + 1, null, 1)).toBe(1_200 * planned);
    });
  });

  it('is as long as Retry-After asks for, up to a day, and never shorter for it', () => {
    expect(delayAfter(1, HOUR, 0.5)).toBe(HOUR);
    expect(delayAfter(1, 100 * HOUR, 0.5)).toBe(24 * HOUR);
    expect(delayAfter(6, 1_000, 0.5)).toBe(HOUR);
  });
});
