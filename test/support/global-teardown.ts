/** Runs once after all tests. */
export default function globalTeardown(): Promise<void> {
  return Promise.resolve();
}
