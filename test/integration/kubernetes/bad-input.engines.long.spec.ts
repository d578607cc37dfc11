import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DriverError } from '../../../src/sandboxes/driver-port/sandbox-driver';
import { openCluster } from '../../../src/drivers/kubernetes/cluster-sandboxes';
import { DriverInCluster } from '../../support/kubernetes/driver-in-cluster';
import { answer, type Answer, ScriptedApiServer } from '../../support/kubernetes/scripted-api-server';
import { serviceAccount } from '../../support/kubernetes/service-account';
import { describeWithCluster, TestCluster } from '../../support/kubernetes/test-cluster';
import { eventually } from '../../support/eventually';

describe('a cluster that cannot have sandboxes', () => {
  const NOT_THERE = answer(404, {
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
  });
  const page: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
  };

  it.each([
    [
      'has no agent-sandbox',
      NOT_THERE,
      'The cluster has no agents.x-k8s.io: install agent-sandbox in its release v0.5.6, with its extensions.',
    ],
    [
      'has another version of it',
      answer(200, { versions: [{ version: 'v1alpha1' }] }),
      'The cluster has agents.x-k8s.io as v1alpha1 only, and sandboxes need v1beta1: install agent-sandbox in its release v0.5.6, with its extensions.',
    ],
    [
      'does not know the service',
      answer(401, { reason: 'Unauthorized', message: 'Unauthorized' }),
      'The cluster does not know the service, which was to see what the cluster has: renew the credentials of its kubeconfig.',
    ],
    [
      'is something else',
      page,
      /^What answers at http:.* is no API server of Kubernetes: correct the address/,
    ],
  ])('that %s is refused at the start', async (_, answered, sentence) => {
    const server = await ScriptedApiServer.start(({ url }) =>
      url === '/version' && answered !== page ? answer(200, { gitVersion: 'v1.35.4' }) : answered,
    );
    const on = new DriverInCluster(server.access);
    try {
      const message = typeof sentence === 'string' ? sentence : (expect.stringMatching(sentence) as string);
      await expect(on.driver.open()).rejects.toMatchObject({ name: 'StartError', message });
    } finally {
      await on.close();
      await server.stop();
    }
  });

  it('that is away keeps nobody from starting, and says in the task what to do', async () => {
    const server = await ScriptedApiServer.start(() => NOT_THERE);
    await server.stop();
    const on = new DriverInCluster(server.access);
    await expect(on.driver.open()).resolves.toBeUndefined();
    expect(await on.driver.isAvailable()).toBe(false);
    expect(await on.driver.explain(on.sandbox())).toMatch(
      /^The API server of the cluster does not answer \(ECONNREFUSED.*\): see that it runs, and that the kubeconfig has its address\.$/,
    );
    await on.driver.close();
  });
});

describeWithCluster('a cluster that refuses', () => {
  let cluster: TestCluster;
  let namespace: string;
  let folder: string;
  let on: DriverInCluster | undefined;

  beforeAll(async () => {
    cluster = await TestCluster.shared();
    namespace = await cluster.makeNamespace('refusing');
    folder = await mkdtemp(join(tmpdir(), 'pod-template-'));
  });
  afterEach(async () => {
    await on?.close();
    on = undefined;
  });
  afterAll(async () => {
    await cluster.api.remove(`/api/v1/namespaces/${namespace}`);
    await cluster.close();
    await rm(folder, { recursive: true, force: true });
  });

  const startFails = async (env: Readonly<Record<string, string>>): Promise<unknown> => {
    on = new DriverInCluster(cluster.access({ namespace }), env);
    await on.driver.open();
    return on.driver.start(on.sandbox()).catch((error: unknown) => error);
  };
  /** Waits until it says of a sandbox what it waits for. */
  const waits = async (env: Readonly<Record<string, string>>, sentence: RegExp): Promise<void> => {
    const running = (on = new DriverInCluster(cluster.access({ namespace }), env));
    await running.driver.open();
    const sandbox = running.sandbox();
    await running.driver.start(sandbox);
    await eventually(async () => expect(await running.driver.explain(sandbox)).toMatch(sentence));
    expect(await running.driver.describe(sandbox)).toBe('running');
  };

  it('a service account names the rights that it lacks', async () => {
    const token = await serviceAccount(cluster, namespace, [], 'nobody');
    on = new DriverInCluster(cluster.access({ namespace, token }));
    await expect(on.driver.open()).rejects.toThrow(
      new RegExp(
        `^The service may not list sandboxes, .*patch networkpolicies in namespace ${namespace}: give its service account the role of deploy/kubernetes\\.$`,
      ),
    );
  });

  it('a certificate of somebody else is refused at the start', async () => {
    const access = cluster.access({ namespace });
    const opened = openCluster(
      new DriverInCluster(access).settings,
      { ...access, credentials: () => Promise.resolve({ version: 'x', tls: {}, headers: [] }) },
      () => undefined,
    );
    await expect(opened).rejects.toThrow(DriverError);
    await expect(opened).rejects.toThrow(
      /^The certificate of the API server at https:.* is not trusted \(.*\): correct/,
    );
  });

  it('a namespace that is not there says so', async () => {
    expect(await startFails({ KUBERNETES_NAMESPACE: 'there-is-none' })).toEqual(
      new DriverError(
        'There is no namespace there-is-none: create it, or set KUBERNETES_NAMESPACE to the one for sandboxes.',
      ),
    );
  });

  it.each([
    [
      'spec:\n  nodeSelectr: {a: b}',
      /^The cluster refuses to create the sandbox: .*nodeSelectr.*Check KUBERNETES_POD_TEMPLATE/,
    ],
    ['template: {}', /^KUBERNETES_POD_TEMPLATE: .* has template, and may have `metadata` and `spec` only\.$/],
    ['- a', /^KUBERNETES_POD_TEMPLATE: .* is no object with `metadata` and `spec`/],
    ['a: [', /^KUBERNETES_POD_TEMPLATE: .* is neither YAML nor JSON/],
  ])('a pod template %j is explained', async (text, sentence) => {
    const file = join(folder, 'template.yaml');
    await writeFile(file, text);
    const failed = await startFails({ KUBERNETES_POD_TEMPLATE: file }).catch((error: unknown) => error);
    expect(String(failed)).toMatch(new RegExp(sentence.source.replace('^', '')));
  });

  it('a storage class that is not there is what a sandbox waits for', async () => {
    await waits(
      { KUBERNETES_STORAGE_CLASS: 'none-of-that-name' },
      /^No node takes the sandbox, because its volume is not made: .* Make a storage class the default one, or set KUBERNETES_STORAGE_CLASS\.$/,
    );
  });

  it.each([
    ['Never', /^The agent server ended with exit code 3\.$/],
    [
      'Always',
      /^The sandbox crashes again and again \(\d+ restarts?\)\. The agent server ended with exit code 3\.$/,
    ],
  ])('an agent server that ends at once is explained, restarted %s', async (restartPolicy, sentence) => {
    const KUBERNETES_POD_TEMPLATE = join(folder, `ends-${restartPolicy}.json`);
    const containers = [{ name: 'agent-server', command: ['/bin/sh', '-c', 'echo cannot go on; exit 3'] }];
    await writeFile(KUBERNETES_POD_TEMPLATE, JSON.stringify({ spec: { restartPolicy, containers } }));
    const running = (on = new DriverInCluster(cluster.access({ namespace }), { KUBERNETES_POD_TEMPLATE }));
    await running.driver.open();
    const sandbox = running.sandbox();
    await running.driver.start(sandbox);
    await eventually(async () => expect(await running.driver.explain(sandbox)).toMatch(sentence), 60_000);
    expect(await running.driver.logs(sandbox, { lines: 10, bytes: 1_000 })).toEqual(['cannot go on']);
    // Nobody tries on for days.
    await eventually(async () => expect(await running.driver.describe(sandbox)).toBe('stopped'));
    expect(await running.driver.explain(sandbox)).toMatch(sentence);
  });

  it('a runtime class that is not there is what keeps the sandbox from being made', async () => {
    const file = join(folder, 'runtime.yaml');
    await writeFile(file, 'spec: {runtimeClassName: gvisor}');
    await waits({ KUBERNETES_POD_TEMPLATE: file }, /^The cluster cannot make the sandbox: .*gvisor/);
  });
});
