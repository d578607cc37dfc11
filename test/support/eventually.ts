import { timeBound } from './time-bound';

const FIRST_PAUSE_MS = 20;
/** What takes long is asked for less often: a test that waits leaves the machine to the others. */
const LONGEST_PAUSE_MS = 100;

/** Whatever the machine does meanwhile: the test itself ends at some time. */
const LONGEST_MS = 300_000;

/**
 * Repeats an assertion until it passes, and fails with its last error at the time-out, which is
 * longer where the machine is busy.
 * @param assertion throws while the expected state is not reached
 */
export async function eventually<T>(assertion: () => T | Promise<T>, withinMs = 30_000): Promise<T> {
  const began = performance.now();
  const waits = (): number => Math.max(withinMs, Math.min(timeBound(withinMs), LONGEST_MS));
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.25, LONGEST_PAUSE_MS)) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() - began > waits()) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
