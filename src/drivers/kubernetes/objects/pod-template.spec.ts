import { readSettings } from '../../../kernel/config';
import { merged, podTemplate } from './pod-template';

const settings = readSettings({ SANDBOX_IMAGE: 'registry.example/sandbox:1', SANDBOX_CPUS: '2' });
const KIND = { labels: { id: 'a' }, environment: [{ name: 'TZ', value: 'UTC' }], secretName: 'keys' };

interface PodSpec {
  readonly containers: readonly Record<string, unknown>[];
  readonly volumes: readonly { readonly name: string }[];
  readonly [field: string]: unknown;
}

function specWith(spec: Readonly<Record<string, unknown>>): PodSpec {
  return podTemplate(settings, { metadata: {}, spec }, KIND).spec as PodSpec;
}

it.each([
  [{ a: 1, b: { c: 2 } }, { b: { d: 3 } }, { a: 1, b: { c: 2, d: 3 } }],
  [{ a: 1, b: 2 }, { a: null }, { b: 2 }],
  [{ list: [1, 2] }, { list: [3] }, { list: [3] }],
  [
    {
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
    },
    {
      env: [
        { name: 'B', value: '3' },
        { name: 'C', value: '4' },
      ],
    },
    {
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '3' },
        { name: 'C', value: '4' },
      ],
    },
  ],
])('merges %j with %j', (base, changes, result) => {
  expect(merged(base, changes)).toEqual(result);
});

it('takes of the template what is to differ, and leaves the rest as it is', () => {
  const spec = specWith({
    runtimeClassName: 'gvisor',
    tolerations: [{ key: 'sandboxes', effect: 'NoSchedule' }],
    securityContext: { runAsUser: 2000 },
    containers: [
      { name: 'agent-server', resources: { requests: { memory: '1Gi' } } },
      { name: 'beside', image: 'beside:1' },
    ],
    volumes: [{ name: 'cache', emptyDir: {} }],
  });
  expect(spec).toMatchObject({
    runtimeClassName: 'gvisor',
    tolerations: [{ key: 'sandboxes', effect: 'NoSchedule' }],
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 2000, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        resources: { requests: { memory: '1Gi', cpu: '200m' }, limits: { memory: '4096Mi', cpu: '2000m' } },
        securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      },
      { name: 'beside', image: 'beside:1' },
    ],
  });
  expect(spec.volumes.map(({ name }) => name)).toEqual(['tmp', 'cache', 'key']);
});

it('keeps what the service needs, whatever the template says', () => {
  const spec = specWith({
    containers: [
      {
        name: 'agent-server',
        image: 'another:1',
        env: [
          { name: 'OPENHANDS_AGENT_SERVER_CONFIG_PATH', value: '/x' },
          { name: 'HTTPS_PROXY', value: 'p' },
        ],
        volumeMounts: [{ name: 'cache', mountPath: '/workspace' }],
      },
    ],
  });
  expect(spec.containers[0]).toMatchObject({
    image: 'registry.example/sandbox:1',
    env: [
      { name: 'OPENHANDS_AGENT_SERVER_CONFIG_PATH', value: '/run/agent-server/config.json' },
      { name: 'HTTPS_PROXY', value: 'p' },
      { name: 'TZ', value: 'UTC' },
    ],
    volumeMounts: [
      { name: 'workspace', mountPath: '/workspace' },
      { name: 'workspace', mountPath: '/workspace/project', subPath: 'project' },
      { name: 'tmp', mountPath: '/tmp' },
      { name: 'key', mountPath: '/run/agent-server', readOnly: true },
    ],
  });
});

it('writes nothing to the disk of its node but its log, and of that no more than its share', () => {
  const spec = specWith({});
  expect(spec).toMatchObject({
    volumes: [{ name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: '1024Mi' } }, { name: 'key' }],
    containers: [
      {
        terminationMessagePath: '/root/termination-log',
        resources: { limits: { 'ephemeral-storage': '1Gi' } },
      },
    ],
  });
});
