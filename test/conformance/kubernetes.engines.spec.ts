import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClusterFixture } from '../support/kubernetes/cluster-fixture';
import { serviceAccount } from '../support/kubernetes/service-account';
import { describeWithCluster, TestCluster } from '../support/kubernetes/test-cluster';
import { describeOwnDriver } from './driver-suite';
import { isLong } from '../support/rounds';

const folder = mkdtempSync(join(tmpdir(), 'small-pods-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const SMALL = join(folder, 'template.json');
writeFileSync(
  SMALL,
  // On the node's disk, not in memory.
  JSON.stringify({ spec: { volumes: [{ name: 'tmp', emptyDir: { medium: '', sizeLimit: '8Mi' } }] } }),
);

/** So that the node has room for fifty: a tenth of it is asked for. */
const SMALL_SHARE = { SANDBOX_CPUS: String(0.15 * cpus().length) };

describeOwnDriver({
  name: 'kubernetes',
  describe: describeWithCluster,
  async open() {
    const cluster = await TestCluster.shared();
    const namespace = await cluster.makeNamespace('conformance', {
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
    // With the rights of deploy/kubernetes, and no others.
    const token = await serviceAccount(cluster, namespace);
    return ClusterFixture.open(cluster, namespace, token, isLong ? SMALL_SHARE : {});
  },
  workingDir: '/workspace/project',
  movesOnResume: true,
  isBehindDoor: true,
  // It is the pod's.
  logs: { say: /listens on/, stay: false },
  survivesAway: true,
  faults: {
    missingImage: {
      env: { SANDBOX_IMAGE: 'localhost/there-is-none:1' },
      detail: /The image of the sandbox cannot be pulled: .* Check SANDBOX_IMAGE/,
    },
    outOfMemory: {
      env: { SANDBOX_MEMORY_MEBIBYTES: '24' },
      detail: /out of memory/,
    },
    // How large a volume may become is for its storage class to say, and that of the tests does not.
    // A node takes up to a minute and a half to see what a pod takes of its own disk.
    ...(isLong && {
      diskFull: {
        env: { KUBERNETES_POD_TEMPLATE: SMALL },
        file: '/tmp/large',
        // It says nothing more of a process that ends well, as this one does.
        detail: /perhaps because its node evicted it for the disk or memory that it took/,
      },
    }),
    noCapacity: {
      // A tenth of it is asked for: more than half of what the node has.
      env: { SANDBOX_CPUS: String(6 * cpus().length), SANDBOX_START_SECONDS: '20' },
      detail: /did not answer within 20 seconds\. No node takes the sandbox: .* Add nodes/,
    },
  },
  // The cluster of the tests has policies as objects, and nobody who enforces them.
  isolatesNetwork: false,
  keepsKeysFromLookers: true,
  findsForgotten: true,
});
