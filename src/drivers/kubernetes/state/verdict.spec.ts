import { readPod, readSandbox, type Pod, type SandboxObject } from './cluster-objects';
import { verdictOf } from './verdict';

const SANDBOX = { metadata: { name: 's', uid: 'u', resourceVersion: '1' } };

function sandbox(parts: Record<string, unknown> = {}): SandboxObject {
  const read = readSandbox({ ...SANDBOX, ...parts });
  if (read === null) throw new Error('no sandbox');
  return read;
}

function pod(status: Record<string, unknown>, metadata: Record<string, unknown> = {}): Pod {
  const read = readPod({ metadata: { name: 's', uid: 'p', resourceVersion: '2', ...metadata }, status });
  if (read === null) throw new Error('no pod');
  return read;
}

const container = (state: unknown, more: Record<string, unknown> = {}) => ({
  containerStatuses: [{ name: 'agent-server', state, ...more }],
});
const notReady = (reason: string, message: string) => ({
  status: { conditions: [{ type: 'Ready', status: 'False', reason, message }] },
});

it.each([
  ['a pod that runs', { phase: 'Running', podIP: '10.0.0.1' }],
  ['one that is not placed yet', { phase: 'Pending' }],
  [
    'one whose container is made',
    { phase: 'Pending', ...container({ waiting: { reason: 'ContainerCreating' } }) },
  ],
])('counts %s as running', (_, status) => {
  expect(verdictOf(sandbox(), [pod(status)])).toEqual({ state: 'running' });
});

it('counts a sandbox as running whose pod somebody deleted: the cluster makes it anew', () => {
  expect(verdictOf(sandbox(), [])).toEqual({ state: 'running' });
  const ending = pod({ phase: 'Failed' }, { deletionTimestamp: '2026-01-01T00:00:00Z' });
  expect(verdictOf(sandbox(), [ending])).toEqual({ state: 'running' });
});

it('counts a suspended one as stopped, with what was kept of why', () => {
  const spec = { operatingMode: 'Suspended' };
  expect(verdictOf(sandbox({ spec }), [])).toEqual({ state: 'stopped' });
  const annotations = { 'org-conversation-service/stopped-because': 'No image.' };
  const kept = sandbox({ spec, metadata: { ...SANDBOX.metadata, annotations } });
  expect(verdictOf(kept, [])).toEqual({ state: 'stopped', detail: 'No image.' });
});

it.each([
  [
    'out of memory',
    { phase: 'Failed', ...container({ terminated: { reason: 'OOMKilled', exitCode: 137 } }) },
    'The sandbox used more memory than it may (out of memory) and was ended.',
  ],
  [
    'an exit code',
    { phase: 'Failed', ...container({ terminated: { reason: 'Error', exitCode: 3 } }) },
    'The agent server ended with exit code 3.',
  ],
  [
    'a signal',
    { phase: 'Failed', ...container({ terminated: { reason: 'Error', exitCode: 143 } }) },
    'The agent server ended with exit code 143 (signal 15), perhaps because its node evicted it for the disk or memory that it took, or was shut down.',
  ],
  [
    'a disruption',
    {
      phase: 'Failed',
      conditions: [
        { type: 'DisruptionTarget', status: 'True', message: 'The node was low on resource: memory.' },
      ],
      ...container({ terminated: { reason: 'Error', exitCode: 1 } }),
    },
    'The cluster ended the sandbox: The node was low on resource: memory. Resume it to run it again.',
  ],
  [
    'an eviction',
    { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory. ' },
    'The node evicted the sandbox: The node was low on resource: memory. Resume it to run it again, on another node if need be.',
  ],
  [
    'an image without the program',
    {
      phase: 'Failed',
      ...container({ terminated: { reason: 'StartError', message: 'exec: "x": not found', exitCode: 128 } }),
    },
    'The image cannot be run: exec: "x": not found.',
  ],
])('says of a pod that ended: %s', (_, status, detail) => {
  expect(verdictOf(sandbox(), [pod(status)])).toEqual({ state: 'stopped', detail });
});

it.each([
  [
    'an unknown image',
    container({
      waiting: { reason: 'ErrImagePull', message: 'failed to resolve reference "x:1": not found' },
    }),
    /^The image of the sandbox cannot be pulled: .*Check SANDBOX_IMAGE/,
  ],
  [
    'crashes again and again',
    container(
      { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
      { restartCount: 4, lastState: { terminated: { reason: 'Error', exitCode: 1 } } },
    ),
    /^The sandbox crashes again and again \(4 restarts\)\. The agent server ended with exit code 1\.$/,
  ],
  [
    'an image that wants to be root',
    container({
      waiting: {
        reason: 'CreateContainerConfigError',
        message: 'container has runAsNonRoot and image will run as root',
      },
    }),
    /^The image wants to run as root/,
  ],
])('gives up on %s, which no waiting mends', (_, status, detail) => {
  const verdict = verdictOf(sandbox(), [pod({ phase: 'Pending', ...status })]);
  expect(verdict).toEqual({ state: 'stuck', detail: expect.stringMatching(detail) as string });
});

it.each([
  [
    'a registry that is away',
    container({ waiting: { reason: 'ImagePullBackOff', message: 'dial tcp: i/o timeout' } }),
    /cannot be pulled: dial tcp: i\/o timeout/,
  ],
  [
    'a place on a node',
    {
      conditions: [
        { type: 'PodScheduled', status: 'False', message: '0/1 nodes are available: 1 Insufficient memory.' },
      ],
    },
    /^No node takes the sandbox: 0\/1 nodes are available: 1 Insufficient memory\. Add nodes/,
  ],
  [
    'a volume',
    {
      conditions: [
        {
          type: 'PodScheduled',
          status: 'False',
          message: '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
        },
      ],
    },
    /Make a storage class the default one, or set KUBERNETES_STORAGE_CLASS\.$/,
  ],
])('waits for %s, and says so', (_, status, detail) => {
  const verdict = verdictOf(sandbox(), [pod({ phase: 'Pending', ...status })]);
  expect(verdict).toEqual({ state: 'running', detail: expect.stringMatching(detail) as string });
});

it('gives up where the quota of the namespace is used up, and where its time is over', () => {
  const full = sandbox(notReady('ReconcilerError', 'pods "s" is forbidden: exceeded quota: all'));
  expect(verdictOf(full, [])).toMatchObject({
    state: 'stuck',
    detail: expect.stringMatching(/^The quota of the namespace is used up/) as string,
  });
  const over = sandbox(notReady('SandboxExpired', ''));
  expect(verdictOf(over, [])).toMatchObject({
    state: 'stopped',
    detail: expect.stringMatching(/end of its time/) as string,
  });
});
