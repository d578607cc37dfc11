import { MEBIBYTE } from '../../src/kernel/common';

/** How much larger this process gets while something is done, in MiB. */
export async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const look = (): void => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 5);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  look();
  return (peak - before) / MEBIBYTE;
}
