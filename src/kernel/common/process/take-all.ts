import { messageOf } from '../text/message-of';

/** Takes steps one after the other, also those after one that fails. @throws what the failed ones threw */
export async function takeAll(steps: readonly (() => Promise<void>)[]): Promise<void> {
  // What several steps wait for can fail in each of them.
  const failures = new Set<unknown>();
  for (const step of steps)
    try {
      await step();
    } catch (error) {
      failures.add(error);
    }
  const [first] = failures;
  if (failures.size > 1) throw new AggregateError(failures, [...failures].map(messageOf).join(' '));
  if (failures.size > 0) throw first;
}
