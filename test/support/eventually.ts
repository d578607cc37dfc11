/**
 * Repeats an assertion until it passes, and fails with its last error at the time-out.
 * @param assertion throws while the expected state is not reached
 */
export async function eventually<T>(assertion: () => T | Promise<T>, withinMs = 30_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
