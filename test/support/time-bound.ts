import { availableParallelism, loadavg } from 'node:os';

/**
 * A bound on time for a machine that other work may slow down: where processes wait for a core, each gets only its
 * share of one, and everything takes as many times longer. To be compared with times of `awakeMs`.
 * @param ms the bound on a machine that does nothing else
 */
export function timeBound(ms: number): number {
  const [lastMinute = 0] = loadavg();
  return Math.ceil(ms * Math.max(1, lastMinute / availableParallelism()));
}
