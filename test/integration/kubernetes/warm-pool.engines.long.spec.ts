import { z } from 'zod';
import { claimNameOf, labelsOf, SANDBOX_ID } from '../../../src/drivers/kubernetes/objects/labels';
import { pathOf } from '../../../src/drivers/kubernetes/objects/paths';
import type { SandboxHandle } from '../../../src/sandboxes/driver-port/sandbox-driver';
import { ClusterFixture } from '../../support/kubernetes/cluster-fixture';
import { DriverInCluster } from '../../support/kubernetes/driver-in-cluster';
import { serviceAccount } from '../../support/kubernetes/service-account';
import { describeWithCluster, TestCluster } from '../../support/kubernetes/test-cluster';
import { eventually } from '../../support/eventually';

describeWithCluster('sandboxes that are pre-warmed', () => {
  let cluster: TestCluster;
  let namespace: string;
  let fixture: ClusterFixture;
  let token: string;
  let on: DriverInCluster;

  beforeAll(async () => {
    cluster = await TestCluster.shared();
    namespace = await cluster.makeNamespace('warm', { 'pod-security.kubernetes.io/enforce': 'restricted' });
    token = await serviceAccount(cluster, namespace, [
      'rights.yaml',
      'components/warm-sandboxes/rights.yaml',
    ]);
    fixture = await ClusterFixture.open(cluster, namespace, token);
    on = new DriverInCluster(cluster.access({ namespace, token }), { SANDBOX_WARM: '2' });
    // Rights that were just given may not count yet.
    await eventually(() => on.driver.open());
    await on.driver.prepare();
  });
  afterAll(async () => {
    await on.close();
    await fixture.close();
    await cluster.close();
  });

  const volumeNames = async (): Promise<string[]> => {
    const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
    const list = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) });
    return list.parse(await cluster.api.get(path)).items.map(({ metadata }) => metadata.name);
  };
  const filled = (): Promise<void> =>
    eventually(async () =>
      expect(await cluster.api.get(pathOf('sandboxwarmpools', namespace, 'sandboxes'))).toMatchObject({
        status: { readyReplicas: 2 },
      }),
    );

  /** A sandbox that was pre-warmed. Where a busy cluster gives it away too late, one starts as it would without: twice at most. */
  const claimed = async (): Promise<SandboxHandle> => {
    for (let others = 0; ; others++) {
      await filled();
      const sandbox = await on.running();
      const remains = await fixture.remains(sandbox.id);
      if (others === 2) expect(remains).toContain(`sandboxclaims/claim-${sandbox.id}`);
      if (remains.includes(`sandboxclaims/claim-${sandbox.id}`)) return sandbox;
      await on.driver.delete(sandbox);
    }
  };

  it('become the sandbox that is asked for, with its key, and keep its files when it is resumed', async () => {
    const sandbox = await claimed();
    const server = on.server(sandbox);
    expect(server && (await on.client.probes.acceptsKey({ ...server, apiKey: 'another' }))).toBe(false);
    // What it was given the key by counts for nothing any more.
    const { uid } = (await fixture.pod(sandbox.id)).metadata;
    const again = await fetch(`${server?.baseUrl}/api/init`, {
      method: 'POST',
      headers: { 'x-init-api-key': uid },
      body: '{"session_api_keys":["mine"]}',
    });
    expect(again.status).toBe(400);
    expect(server && (await on.client.probes.acceptsKey({ ...server, apiKey: uid }))).toBe(false);
    await on.run(sandbox, 'echo something > kept');
    expect(await fixture.visible(sandbox.id)).not.toContain(sandbox.sessionKey);

    // A busy node may take longer than one call waits.
    await eventually(() => on.driver.pause(sandbox));
    expect(await on.driver.describe(sandbox)).toBe('stopped');
    await on.driver.resume(sandbox);
    await on.answers(sandbox);
    expect(await on.run(sandbox, 'cat kept')).toBe('something\n');

    await filled();
    await eventually(async () => expect(await volumeNames()).toHaveLength(3));
    await on.driver.delete(sandbox);
    await eventually(async () => expect(await fixture.remains(sandbox.id)).toEqual([]));
    // Its volume has the name that it had in the pool.
    await eventually(async () => expect(await volumeNames()).toHaveLength(2));
  });

  it('that were claimed by a service that ended then are given up, and what is claimed anew is used', async () => {
    await filled();
    const sandbox = on.sandbox();
    const labels = labelsOf(sandbox);
    await cluster.api.create(pathOf('sandboxclaims', namespace), {
      apiVersion: 'extensions.agents.x-k8s.io/v1beta1',
      kind: 'SandboxClaim',
      metadata: { name: claimNameOf(sandbox.id), namespace, labels },
      spec: {
        warmPoolRef: { name: 'sandboxes' },
        additionalPodMetadata: { labels: { [SANDBOX_ID]: sandbox.id } },
      },
    });
    await eventually(async () => expect(await on.driver.ids(sandbox.installationId)).toContain(sandbox.id));
    await on.running(sandbox);
    await eventually(async () => {
      const pods = (await fixture.remains(sandbox.id)).filter((what) => what.startsWith('pods/'));
      expect(pods).toHaveLength(1);
    });
    expect(await on.run(sandbox, 'echo here')).toBe('here\n');
    await on.driver.delete(sandbox);
    await eventually(async () => expect(await fixture.remains(sandbox.id)).toEqual([]));
  });

  it('are deleted with their claims by a service that makes none ahead', async () => {
    const sandbox = await claimed();
    const other = new DriverInCluster(cluster.access({ namespace, token }));
    await other.driver.open();
    await other.driver.delete(sandbox);
    await other.close();
    await eventually(async () => expect(await fixture.remains(sandbox.id)).toEqual([]));
  });

  it('are made again, and where there are none left a sandbox starts as it would without them', async () => {
    await filled();
    const sandboxes = [on.sandbox(), on.sandbox(), on.sandbox(), on.sandbox()];
    await Promise.all(sandboxes.map((sandbox) => on.running(sandbox)));
    const claims = await Promise.all(sandboxes.map(({ id }) => fixture.remains(id)));
    expect(
      claims.filter((found) => found.some((what) => what.startsWith('sandboxclaims/'))).length,
    ).toBeGreaterThan(0);
    for (const sandbox of sandboxes) await on.driver.delete(sandbox);
    await filled();
  });

  it('are pre-warmed again after somebody deleted the pool, by a service that found no cluster when it started', async () => {
    const pool = ['sandboxwarmpools', 'sandboxtemplates'] as const;
    for (const kind of pool) await cluster.api.remove(pathOf(kind, namespace, 'sandboxes'));
    const other = new DriverInCluster(cluster.access({ namespace, token }), { SANDBOX_WARM: '2' });
    try {
      // It made nothing ready for sandboxes: `prepare` failed.
      await other.driver.open();
      await other.running();
      await filled();
    } finally {
      await other.close();
    }
  });
});
