import { patience } from './time-bound';

const FIRST_PAUSE_MS = 20;
/** What takes long is asked for less often: a test that waits leaves the machine to the others. */
const LONGEST_PAUSE_MS = 100;

/**
 * Repeats an assertion until it passes, and fails with its last error at the time-out, which is
 * longer where the machine is busy.
 * @param assertion throws while the expected state is not reached
 */
export async function eventually<T>(assertion: () => T | Promise<T>, withinMs = 30_000): Promise<T> {
  const began = performance.now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.25, LONGEST_PAUSE_MS)) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() - began > patience(withinMs)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
