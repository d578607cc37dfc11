/** Runs once before all tests. */
export default function globalSetup(): Promise<void> {
  return Promise.resolve();
}
