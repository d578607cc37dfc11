import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 100;
/** A machine may be busy: this ends what would never come. */
const PATIENCE_MS = 300_000;

/** Repeats an assertion until it holds. @throws what it threw last, after minutes */
export async function eventually<T>(assertion: () => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
