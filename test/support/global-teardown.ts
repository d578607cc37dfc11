import { stopTestServer } from './test-server';

/** Runs once after all tests. */
export default async function globalTeardown(): Promise<void> {
  await stopTestServer();
}
