import { median } from '../hot-paths';
import { round } from '../org-list-load';

/** A quantity in the first and in the last third of a run. */
export interface Slope {
  readonly first: number;
  readonly last: number;
  /** Whether the last third is no higher than the first, but for a tenth and a little. */
  readonly isFlat: boolean;
  /** The z of Mann and Kendall over the whole run: above 2 a rise is likely, where one value does not depend on the last. */
  readonly trend: number;
}

/**
 * Compares the medians of the first and of the last third, after a tenth that is left out: until then caches fill.
 * @param little what does not count as a rise, whatever its share
 */
export function slopeOf(values: readonly number[], little: number): Slope {
  const warm = values.slice(Math.ceil(values.length / 10));
  const third = Math.max(1, Math.floor(warm.length / 3));
  const first = round(median(warm.slice(0, third)));
  const last = round(median(warm.slice(-third)));
  return { first, last, isFlat: last <= first * 1.1 + little, trend: round(trendOf(values)) };
}

function trendOf(values: readonly number[]): number {
  const rises = values.flatMap((value, n) => values.slice(n + 1).map((later) => Math.sign(later - value)));
  const { length } = values;
  const deviation = Math.sqrt((length * (length - 1) * (2 * length + 5)) / 18);
  return rises.reduce<number>((sum, rise) => sum + rise, 0) / deviation;
}
