import { join } from 'node:path';
import { z } from 'zod';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { ClusterApi } from '../../../src/drivers/kubernetes/cluster/cluster-api';
import { pathOf } from '../../../src/drivers/kubernetes/objects/paths';
import { compiledSources, ROOT } from '../../support/compiled/compiled-sources';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { Gate } from '../../support/kubernetes/gate';
import { serviceAccount } from '../../support/kubernetes/service-account';
import { kustomized, type Manifest, patched } from '../../support/kubernetes/manifests';
import { describeWithCluster, SANDBOX_IMAGE, TestCluster } from '../../support/kubernetes/test-cluster';
import { ConversationClient } from '../../support/service/conversation-client';
import { call } from '../../support/service/http';
import { startTcpProxy, type TcpProxy } from '../../support/service/tcp-proxy';

const FOLDER = join(ROOT, 'deploy/kubernetes');
const COMPONENTS = ['components/warm-sandboxes', 'components/organizations'];
const KEY = newKey();
const METRICS_TOKEN = 'a-metrics-token-of-tests-0123456789';
const SERVICE = 'org-conversation-service';

/** Where objects of a kind are made; with a namespace before the last part. */
const PLACES: Readonly<Record<string, string>> = {
  Namespace: '/api/v1/namespaces',
  ServiceAccount: '/api/v1/serviceaccounts',
  ConfigMap: '/api/v1/configmaps',
  ResourceQuota: '/api/v1/resourcequotas',
  Service: '/api/v1/services',
  Secret: '/api/v1/secrets',
  Deployment: '/apis/apps/v1/deployments',
  PodDisruptionBudget: '/apis/policy/v1/poddisruptionbudgets',
  Role: '/apis/rbac.authorization.k8s.io/v1/roles',
  RoleBinding: '/apis/rbac.authorization.k8s.io/v1/rolebindings',
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
};

const podsSchema = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string() }),
      status: z.object({
        podIP: z.string().default(''),
        conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]),
      }),
    }),
  ),
});

describeWithCluster('what the roles of deploy/kubernetes do not grant', () => {
  let cluster: TestCluster;
  let namespace: string;
  let elsewhere: string;
  let api: ClusterApi;

  beforeAll(async () => {
    cluster = await TestCluster.shared();
    namespace = await cluster.makeNamespace('rights');
    elsewhere = await cluster.makeNamespace('rights-elsewhere');
    const files = ['rights.yaml', 'outside.yaml', 'components/warm-sandboxes/rights.yaml'];
    const token = await serviceAccount(cluster, namespace, files);
    api = new ClusterApi(cluster.access({ namespace, token }));
  });
  afterAll(async () => {
    await api.close();
    for (const name of [namespace, elsewhere]) await cluster.api.remove(`/api/v1/namespaces/${name}`);
    await cluster.close();
  });

  const own = (rest: string): string => `/api/v1/namespaces/${namespace}/${rest}`;
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'more' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'User', name: 'anybody' }],
  };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'more' },
    spec: { containers: [{ name: 'x', image: 'x' }] },
  };

  it.each<[string, () => Promise<unknown>]>([
    ['to list secrets', () => api.get(own('secrets'))],
    ['to read a secret', () => api.get(own('secrets/some'))],
    ['to list all secrets', () => api.get('/api/v1/secrets')],
    ['to see the pods of others', () => api.get(`/api/v1/namespaces/${elsewhere}/pods`)],
    ['to see all pods', () => api.get('/api/v1/pods')],
    ['to see all sandboxes', () => api.get(pathOf('sandboxes', null))],
    ['to make sandboxes elsewhere', () => api.create(pathOf('sandboxes', elsewhere), {})],
    ['to write secrets elsewhere', () => api.apply(`/api/v1/namespaces/${elsewhere}/secrets/a`, {})],
    ['to make pods by itself', () => api.create(own('pods'), pod)],
    ['to delete pods', () => api.remove(own('pods/some'))],
    ['to run commands in pods', () => api.create(own('pods/some/exec'), {})],
    ['to look into nodes', () => api.get('/api/v1/nodes')],
    ['to list namespaces', () => api.get('/api/v1/namespaces')],
    ['to make namespaces', () => api.apply('/api/v1/namespaces/more', {})],
    ['to have tokens of service accounts', () => api.create(own('serviceaccounts/default/token'), {})],
    ['to delete policies', () => api.remove(pathOf('networkpolicies', namespace, 'sandboxes'))],
    ['to raise its quota', () => api.apply(pathOf('resourcequotas', namespace, 'all-sandboxes'), {})],
    [
      'to give itself more rights',
      () => api.create(`/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`, binding),
    ],
    ['to see cluster roles', () => api.get('/apis/rbac.authorization.k8s.io/v1/clusterroles')],
    ['to change what a sandbox is', () => api.get('/apis/apiextensions.k8s.io/v1/customresourcedefinitions')],
  ])('is %s', async (_, act) => {
    await expect(act()).rejects.toMatchObject({ status: 403, reason: 'Forbidden' });
  });
});

describeWithCluster('deploy/kubernetes', () => {
  let cluster: TestCluster;
  let database: TestDatabase;
  let databaseProxy: TcpProxy | undefined;
  let gates: Gate[];
  let replicas: { name: string; url: string }[] = [];

  const place = ({ kind, namespace }: Manifest): string => {
    const path = PLACES[kind];
    if (path === undefined) throw new Error(`Nobody knows where a ${kind} is made.`);
    return namespace === undefined ? path : path.replace(/\/([^/]+)$/, `/namespaces/${namespace}/$1`);
  };
  const apply = (manifest: Manifest, options: Readonly<Record<string, string>> = {}): Promise<unknown> =>
    cluster.api.apply(`${place(manifest)}/${manifest.name}`, manifest.object, options);

  beforeAll(async () => {
    cluster = await TestCluster.shared();
    database = await createTestDatabase();
    gates = [];
  });
  afterAll(async () => {
    for (const name of ['conversations', 'conversations-sandboxes'])
      await cluster.api.remove(`/api/v1/namespaces/${name}`);
    for (const gate of gates) await gate.close();
    await databaseProxy?.cut();
    await database.drop();
    await cluster.close();
  });

  it('is what the cluster takes, with each of its components', async () => {
    const all = await kustomized(FOLDER, COMPONENTS);
    for (const manifest of all.filter(({ kind }) => kind === 'Namespace')) await apply(manifest);
    for (const manifest of all) await apply(manifest, { dryRun: 'All' });
  });

  it('runs the service with two replicas, and sandboxes beside it', async () => {
    const host = await cluster.hostAddress();
    databaseProxy = await startTcpProxy(database.url);
    const open = async (target: () => string): Promise<Gate> => {
      const gate = await Gate.open(target, host);
      gates.push(gate);
      return gate;
    };
    const { url: databaseUrl } = databaseProxy;
    const toDatabase = await open(() => databaseUrl);
    const toCluster = await open(() => cluster.server);
    const toService = await open(() => callbacksOf(replicas[0]?.url ?? 'http://127.0.0.1:1'));
    const address = new URL(database.url);
    address.host = `${host}:${toDatabase.port}`;

    const manifests = patched(await kustomized(FOLDER), onThisMachine(host, toCluster.port, toService.port));
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: SERVICE, namespace: 'conversations' },
      stringData: {
        DATABASE_URL: address.href,
        SECRET_KEY: 'a-secret-key-of-tests-0123456789',
        BOOTSTRAP_KEY: KEY,
        METRICS_TOKEN,
      },
    };
    await cluster.api.apply(`/api/v1/namespaces/conversations/secrets/${SERVICE}`, secret);
    for (const manifest of manifests) await apply(manifest);
    replicas = await ready(2);

    for (const replica of replicas) {
      const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
      expect((await call(replica, 'GET', '/metrics')).status).toBe(401);
      expect((await call(replica, 'GET', '/metrics', { headers })).status).toBe(200);
      // No session counts where sandboxes call.
      const session = { Cookie: 'ocs_session=unknown', 'Sec-Fetch-Site': 'same-origin' };
      for (const [url, status] of [
        [replica.url, 401],
        [callbacksOf(replica.url), 403],
      ] as const)
        expect((await call({ url }, 'GET', '/api/keys/current', { headers: session })).status).toBe(status);
    }

    const [one, other] = replicas.map(({ url }) => new ConversationClient({ url }, KEY, 60_000));
    if (one === undefined || other === undefined) throw new Error('There are no two replicas.');
    const created = await one.call<{ id: string }>('POST', '/api/v1/sandboxes');
    const { id } = created.body;
    const until = (client: ConversationClient, status: string): Promise<void> =>
      eventually(async () => {
        const path = `/api/v1/sandboxes?id=${id}`;
        const [record] = (await client.call<{ status: string; status_detail: string }[]>('GET', path)).body;
        expect(record).toMatchObject({ status });
      }, 60_000);
    // One replica may hear later than another where a pod is.
    const command = (client: ConversationClient, text: string): Promise<string> =>
      eventually(async () => {
        const path = `/api/v1/sandboxes/${id}/agent-server/api/bash/execute_bash_command`;
        const { status, body } = await client.call<{ stdout: string }>('POST', path, {
          body: { command: text },
        });
        expect(status).toBe(200);
        return body.stdout;
      }, 60_000);
    await until(other, 'RUNNING');
    expect(await command(one, 'echo something > /workspace/project/kept; echo done')).toBe('done\n');
    expect(await command(other, 'cat /workspace/project/kept')).toBe('something\n');

    const message = { role: 'user', content: [{ type: 'text', text: 'Hello' }] };
    const conversation = await other.ready({ initial_message: message });
    expect(await one.texts(conversation, 'agent', 1)).toEqual([expect.stringContaining('Hello')]);

    // One replica goes; the other, and the one that takes its place, go on.
    await cluster.api.remove(pathOf('pods', 'conversations', replicas[0]?.name));
    await other.call('POST', `/api/v1/sandboxes/${id}/pause`);
    await until(other, 'PAUSED');
    replicas = await ready(2, replicas[0]?.name);
    await other.call('POST', `/api/v1/sandboxes/${id}/resume`);
    await until(other, 'RUNNING');
    expect(await command(other, 'cat /workspace/project/kept')).toBe('something\n');
  });

  /** Waits for so many replicas, without one that is about to end. */
  const ready = (count: number, without?: string): Promise<{ name: string; url: string }[]> =>
    eventually(async () => {
      const { items } = podsSchema.parse(await cluster.api.get(pathOf('pods', 'conversations')));
      const up = items.filter(
        ({ metadata, status }) =>
          metadata.name !== without &&
          status.conditions.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
      );
      expect(up).toHaveLength(count);
      return up.map(({ metadata, status }) => ({ name: metadata.name, url: `http://${status.podIP}:3000` }));
    }, 90_000);
});

/** Where a replica listens for sandboxes. */
function callbacksOf(url: string): string {
  return url.replace(/:3000$/, ':3001');
}

/**
 * What the cluster of the tests has not: an image of the service, in place of which its pods run what was compiled for the
 * tests; and names and addresses of services, in place of which they have ways through this machine.
 */
function onThisMachine(host: string, clusterPort: number, callbackPort: number): unknown {
  const compiled = compiledSources('');
  const folders = { compiled, sources: ROOT };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: SERVICE },
    spec: {
      template: {
        spec: {
          hostAliases: [{ ip: host, hostnames: ['kubernetes.default.svc'] }],
          containers: [
            {
              name: 'service',
              image: SANDBOX_IMAGE,
              command: ['/usr/local/bin/node', join(compiled, 'src/main.js')],
              env: [
                { name: 'KUBERNETES_SERVICE_HOST', value: 'kubernetes.default.svc' },
                { name: 'KUBERNETES_SERVICE_PORT', value: String(clusterPort) },
                { name: 'CALLBACK_URL', value: `http://${host}:${callbackPort}` },
                { name: 'SANDBOX_IMAGE', value: SANDBOX_IMAGE },
                { name: 'SANDBOX_MEMORY_MEBIBYTES', value: '256' },
                { name: 'SANDBOX_CPUS', value: '0.5' },
                { name: 'SANDBOX_DISK_MEBIBYTES', value: '64' },
                { name: 'LLM_MODEL', value: 'echo' },
                { name: 'HOST', value: '0.0.0.0' },
                { name: 'DATA_DIR', value: '/data' },
              ],
              resources: { requests: { cpu: '50m', memory: '128Mi' } },
              volumeMounts: Object.entries(folders).map(([name, path]) => ({
                name,
                mountPath: path,
                readOnly: true,
              })),
            },
          ],
          volumes: Object.entries(folders).map(([name, path]) => ({ name, hostPath: { path } })),
        },
      },
    },
  };
}
