import { readFileSync } from 'node:fs';

/**
 * The longest time the event loop of this thread was blocked while the work ran, in milliseconds. Other load
 * on the machine does not count; see {@link threadCpuMs}.
 */
export async function longestStall<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly ms: number }> {
  let longest = 0;
  let last = threadCpuMs();
  const timer = setInterval(() => {
    const now = threadCpuMs();
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

/** CPU time of this thread in milliseconds, where the system has it (Linux): other load does not count. */
export function threadCpuMs(): number {
  try {
    const [nanoseconds = ''] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return performance.now();
  }
}
