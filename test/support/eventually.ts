/**
 * Repeats an assertion until it holds, and fails with its last failure after a time.
 * @param assertion throws while the expected state is not there
 */
export async function eventually<T>(assertion: () => T | Promise<T>, withinMs = 10_000): Promise<T> {
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
