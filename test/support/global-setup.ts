import { compileSources } from './compiled/compiled-sources';
import { reserveCluster } from './kubernetes/test-cluster';
import { openRunFolder } from './run/run-folder';
import { startTestServer } from './service/test-server';

/** Runs once before all tests. */
export default async function globalSetup(): Promise<void> {
  await openRunFolder();
  await Promise.all([startTestServer(), compileSources(), reserveCluster()]);
}
