import { z } from 'zod';
import { newId } from '../../../src/kernel/common';
import { isNotFound } from '../../../src/drivers/kubernetes/cluster/api-errors';
import { labelsOf } from '../../../src/drivers/kubernetes/objects/labels';
import { pathOf } from '../../../src/drivers/kubernetes/objects/paths';
import { podOf } from '../../../src/drivers/kubernetes/objects/pods-of-sandboxes';
import { sandboxManifest } from '../../../src/drivers/kubernetes/objects/sandbox-manifest';
import { ClusterFixture } from '../../support/kubernetes/cluster-fixture';
import { DriverInCluster } from '../../support/kubernetes/driver-in-cluster';
import { serviceAccount } from '../../support/kubernetes/service-account';
import { describeWithCluster, TestCluster } from '../../support/kubernetes/test-cluster';
import { awakeMs } from '../../support/awake-clock';
import { eventually } from '../../support/eventually';
import { timeBound } from '../../support/time-bound';

describeWithCluster('the driver of Kubernetes', () => {
  let cluster: TestCluster;
  let namespace: string;
  let fixture: ClusterFixture;
  let token: string;
  let drivers: DriverInCluster[];

  beforeAll(async () => {
    cluster = await TestCluster.shared();
    namespace = await cluster.makeNamespace('driver', { 'pod-security.kubernetes.io/enforce': 'restricted' });
    token = await serviceAccount(cluster, namespace);
    fixture = await ClusterFixture.open(cluster, namespace, token);
  });
  afterAll(async () => {
    await fixture.close();
    await cluster.close();
  });
  beforeEach(() => {
    drivers = [];
  });
  afterEach(async () => {
    for (const driver of drivers) await driver.close();
  });

  const open = async (
    env: Readonly<Record<string, string>> = {},
    access = cluster.access({ namespace, token }),
  ): Promise<DriverInCluster> => {
    const opened = new DriverInCluster(access, env);
    drivers.push(opened);
    // Rights that were just given may not count yet.
    await eventually(() => opened.driver.open());
    await opened.driver.prepare();
    return opened;
  };
  const uidOf = async (id: string): Promise<string> => (await fixture.pod(id)).metadata.uid;

  it('has a sandbox whose pod somebody deleted answer again within seconds, with its files', async () => {
    const on = await open();
    const sandbox = await on.running();
    await on.run(sandbox, 'echo something > kept');
    const before = await uidOf(sandbox.id);
    const address = on.server(sandbox)?.baseUrl;
    await cluster.api.remove(pathOf('pods', namespace, `sandbox-${sandbox.id}`));
    const from = awakeMs();
    await eventually(() => expect(on.noticed).toContain(sandbox.id));
    const noticedAfter = awakeMs() - from;
    await eventually(async () => expect(await uidOf(sandbox.id)).not.toBe(before));
    await on.answers(sandbox);
    process.stderr.write(
      `Noticed after ${Math.round(noticedAfter)} ms, answered after ${Math.round(awakeMs() - from)} ms\n`,
    );
    expect(noticedAfter).toBeLessThan(timeBound(3_000));
    expect(await on.driver.describe(sandbox)).toBe('running');
    expect(on.server(sandbox)?.baseUrl).not.toBe(address);
    expect(await on.run(sandbox, 'cat kept')).toBe('something\n');
  });

  it('asks the cluster nothing while nothing happens', async () => {
    const access = cluster.access({ namespace, token });
    let calls = 0;
    const counted = { ...access, credentials: () => (calls++, access.credentials()) };
    const on = await open({}, counted);
    const sandbox = await on.running();
    await eventually(async () => expect(await on.driver.describe(sandbox)).toBe('running'));
    const before = calls;
    for (let n = 0; n < 50; n++) {
      expect(await on.driver.describe(sandbox)).toBe('running');
      expect(on.server(sandbox)).not.toBeNull();
      expect(await on.driver.ids(sandbox.installationId)).toContain(sandbox.id);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(calls).toBe(before);
  });

  it('reaches agent servers through the proxy of the API server too', async () => {
    const withProxy = await serviceAccount(cluster, namespace, ['rights.yaml', 'outside.yaml'], 'outside');
    const on = await open(
      { KUBERNETES_POD_ACCESS: 'proxy' },
      cluster.access({ namespace, token: withProxy }),
    );
    const sandbox = await on.running();
    const server = on.server(sandbox);
    expect(server?.baseUrl).toBe(
      `${cluster.server}/api/v1/namespaces/${namespace}/pods/sandbox-${sandbox.id}:8000/proxy`,
    );
    expect(await on.run(sandbox, 'echo through')).toBe('through\n');
    expect(server && (await on.client.probes.acceptsKey({ ...server, apiKey: 'another' }))).toBe(false);
  });

  it('gives pods no rights: the cluster admits them where it admits restricted ones only', async () => {
    const on = await open();
    const sandbox = await on.running();
    expect(await on.run(sandbox, 'id -u; touch /x 2>&1 || true; ls /var/run/secrets 2>&1 || true')).toMatch(
      /^1000\n.*Read-only file system\n.*No such file or directory\n$/s,
    );
    const seen = await on.run(sandbox, 'env; cat /proc/1/environ | tr "\\0" "\\n" || true');
    expect(seen).not.toContain(sandbox.sessionKey);
    expect(seen).not.toContain('KUBERNETES_');
  });

  it('gives pods nothing of the disk of their node that counts for nobody', async () => {
    const on = await open();
    const sandbox = await on.running();
    const places = 'find / -xdev -type f -writable 2>/dev/null; find /dev -type f -writable 2>/dev/null';
    expect(await on.run(sandbox, `${places}; true`)).not.toContain('termination-log');
    const script = `for f in /dev/termination-log /root/termination-log; do echo full > $f && echo wrote; done 2>/dev/null; true`;
    expect(await on.run(sandbox, script)).not.toContain('wrote');
    expect(await on.run(sandbox, 'grep " /tmp " /proc/mounts')).toMatch(/^tmpfs \/tmp tmpfs .*size=65536k/);
  });

  it('takes nothing for a sandbox of its own that somebody labelled as one, under whatever name', async () => {
    const on = await open();
    const strange = { ...on.sandbox(), id: 'everything' };
    const place = { name: 'strange', namespace };
    const pod = podOf(strange, on.settings, { metadata: {}, spec: {} });
    await cluster.api.create(pathOf('sandboxes', namespace), {
      ...sandboxManifest(place, labelsOf(strange), pod, on.settings),
      spec: { operatingMode: 'Suspended', podTemplate: pod },
    });
    try {
      expect(await on.driver.describe(strange)).toBe('stopped');
      expect(await on.driver.ids(strange.installationId)).not.toContain('everything');
    } finally {
      await cluster.api.remove(pathOf('sandboxes', namespace, 'strange'));
    }
  });

  it('keeps sandboxes from each other and from the cluster, by a policy for all of them', async () => {
    const access = { ...cluster.access({ namespace, token }), isInside: true, namespace: 'services' };
    await open({ KUBERNETES_NAMESPACE: namespace, CALLBACK_URL: 'http://10.1.2.3:3000' }, access);
    const policy = await cluster.api.get(pathOf('networkpolicies', namespace, 'sandboxes'));
    const { spec } = z.object({ spec: z.looseObject({}) }).parse(policy);
    const service = {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'services' } },
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'org-conversation-service' } },
    };
    expect(spec).toMatchObject({
      podSelector: { matchLabels: { 'app.kubernetes.io/managed-by': 'org-conversation-service' } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [service], ports: [{ protocol: 'TCP', port: 8000 }] }],
      egress: [
        { to: [{ podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }] },
        { to: [service], ports: [{ protocol: 'TCP', port: 3000 }] },
        { to: [{ ipBlock: { cidr: '10.1.2.3/32' } }], ports: [{ protocol: 'TCP', port: 3000 }] },
        { to: [{ ipBlock: { cidr: '0.0.0.0/0' } }, { ipBlock: { cidr: '2000::/3' } }] },
      ],
    });
    // What a network plug-in makes of it: src/drivers/kubernetes/objects/network-policies.spec.ts.
    expect(JSON.stringify(spec)).toContain('169.254.0.0/16');
  });

  it('makes a namespace for each organization, with its quota and its policy', async () => {
    const prefix = `o${newId().slice(0, 8)}`;
    const files = ['components/organizations/rights.yaml'];
    const ofAll = await serviceAccount(cluster, namespace, files, 'organizations');
    const on = await open(
      {
        KUBERNETES_NAMESPACE: `${prefix}-{org}`,
        KUBERNETES_ORGANIZATION_QUOTA: '{"persistentvolumeclaims":"1"}',
      },
      cluster.access({ token: ofAll }),
    );
    const orgId = newId();
    const place = `${prefix}-${orgId}`;
    try {
      const sandbox = await on.running(on.sandbox(orgId));
      expect(await on.run(sandbox, 'echo here')).toBe('here\n');
      const more = on.sandbox(orgId);
      await on.driver.start(more);
      await eventually(async () => expect(await on.driver.describe(more)).toBe('stopped'));
      expect(await on.driver.explain(more)).toMatch(
        /^The quota of the namespace is used up: .*exceeded quota: sandboxes/,
      );
      expect(await cluster.api.get(`/api/v1/namespaces/${place}`)).toMatchObject({
        metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
      });
      await cluster.api.get(pathOf('networkpolicies', place, 'sandboxes'));

      // Whoever deletes it deletes its sandboxes; the next one has all of it made anew.
      await cluster.api.remove(`/api/v1/namespaces/${place}`);
      await eventually(async () =>
        expect(await cluster.api.get(`/api/v1/namespaces/${place}`).catch(isNotFound)).toBe(true),
      );
      await eventually(async () => expect(await on.driver.describe(sandbox)).toBe('missing'));
      await on.running(on.sandbox(orgId));
      await cluster.api.get(pathOf('networkpolicies', place, 'sandboxes'));
    } finally {
      await cluster.api.remove(`/api/v1/namespaces/${place}`);
    }
  });
});
