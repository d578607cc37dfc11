import { stopTestServer } from './service/test-server';

/** Runs once after all tests. */
export default async function globalTeardown(): Promise<void> {
  await stopTestServer();
}
