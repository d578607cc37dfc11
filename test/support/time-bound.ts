import { availableParallelism, loadavg } from 'node:os';

/** Whatever the machine does meanwhile: the test itself ends at some time. */
const LONGEST_MS = 300_000;

/**
 * A bound on time for a machine that other work may slow down: where processes wait for a core, each gets only its
 * share of one, and everything takes as many times longer. To be compared with times of `awakeMs`.
 * @param ms the bound on a machine that does nothing else
 */
export function timeBound(ms: number): number {
  const [lastMinute = 0] = loadavg();
  return Math.ceil(ms * Math.max(1, lastMinute / availableParallelism()));
}

/**
 * How long a test waits for what does come at some time: as {@link timeBound}, but less than the time that the test has.
 * @param ms the same on a machine that does nothing else
 */
export function patience(ms: number): number {
  return Math.max(ms, Math.min(timeBound(ms), LONGEST_MS));
}
