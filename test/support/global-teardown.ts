import { removeCompiledSources } from './compiled/compiled-sources';
import { removeCluster } from './kubernetes/test-cluster';
import { removeRunFolder } from './run/run-folder';
import { stopTestServer } from './service/test-server';

/** Runs once after all tests. */
export default async function globalTeardown(): Promise<void> {
  await Promise.all([stopTestServer(), removeCompiledSources(), removeCluster()]);
  await removeRunFolder();
}
