import fc from 'fast-check';
import { BUDGET_PERIODS, periodEnd, periodStart } from './budget';

const time = fc.date({
  min: new Date('2020-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});

describe('a period of a budget', () => {
  it.each([
    ['day', '2026-11-29T00:00:00.000Z', '2026-11-29', '2026-11-30T00:00:00.000Z'],
    ['day', '2028-02-28T23:59:59.999Z', '2028-02-28', '2028-02-29T00:00:00.000Z'],
    ['day', '2026-12-31T23:59:59.999Z', '2026-12-31', '2027-01-01T00:00:00.000Z'],
    ['month', '2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01T00:00:00.000Z'],
    ['month', '2026-01-31T12:00:00.000Z', '2026-01-01', '2026-02-01T00:00:00.000Z'],
    ['total', '2026-01-31T12:00:00.000Z', '1970-01-01', undefined],
  ] as const)('by %s has %s from %s to %s', (period, at, start, end) => {
    expect(periodStart(period, new Date(at))).toBe(start);
    expect(periodEnd(period, new Date(at))?.toISOString()).toBe(end);
  });

  it('has every time that it begins before and ends after, and the next begins where it ends', () => {
    fc.assert(
      fc.property(fc.constantFrom(...BUDGET_PERIODS), time, (period, at) => {
        const start = new Date(`${periodStart(period, at)}T00:00:00Z`);
        const end = periodEnd(period, at);
        expect(start.getTime()).toBeLessThanOrEqual(at.getTime());
        if (end === null) return;
        expect(end.getTime()).toBeGreaterThan(at.getTime());
        expect(periodStart(period, end)).toBe(end.toISOString().slice(0, 10));
        expect(periodStart(period, new Date(end.getTime() - 1))).toBe(periodStart(period, at));
      }),
    );
  });
});
