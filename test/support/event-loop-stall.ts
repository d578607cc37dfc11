import { readFileSync } from 'node:fs';

/**
 * How long the event loop of this thread was kept busy at a stretch while something was done, in
 * milliseconds. Counted in processor time where the system tells (Linux), so that a machine that runs other
 * things as well does not count against the code.
 */
export async function longestStall<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly ms: number }> {
  let longest = 0;
  let last = spentMs();
  const timer = setInterval(() => {
    const now = spentMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  try {
    const result = await work();
    return { result, ms: longest };
  } finally {
    clearInterval(timer);
  }
}

function spentMs(): number {
  try {
    const [nanoseconds = ''] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return performance.now();
  }
}
