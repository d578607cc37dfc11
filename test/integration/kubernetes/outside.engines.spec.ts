import type { DriverFixture, ServiceWithDriver } from '../../../src/operations/testing';
import { makeDatabase, startOwn, withDatabase } from '../../conformance/own-service';
import { TestSocket } from '../../support/sandbox-access/door-calls';
import { ClusterFixture } from '../../support/kubernetes/cluster-fixture';
import { serviceAccount } from '../../support/kubernetes/service-account';
import { describeWithCluster, TestCluster } from '../../support/kubernetes/test-cluster';
import { call } from '../../support/service/http';
import { eventually } from '../../support/eventually';

describeWithCluster('a service outside of the cluster', () => {
  let cluster: TestCluster;
  let fixture: ClusterFixture;
  let shared: DriverFixture;
  let service: ServiceWithDriver;

  beforeAll(async () => {
    cluster = await TestCluster.shared();
    const namespace = await cluster.makeNamespace('outside');
    const token = await serviceAccount(cluster, namespace, ['rights.yaml', 'outside.yaml']);
    fixture = await ClusterFixture.open(cluster, namespace, token, { KUBERNETES_POD_ACCESS: 'proxy' });
    shared = withDatabase(fixture, await makeDatabase());
    service = await startOwn(shared);
  });
  afterAll(async () => {
    await service.close();
    await shared.close();
    await cluster.close();
  });

  it('reaches agent servers through the API server, with HTTP and WebSockets, and nothing but them', async () => {
    const { sandboxId: id, answer } = await service.converse('Hello');
    expect(answer).toContain('Hello');
    expect((await service.run(id, 'echo through')).stdout).toBe('through\n');

    const door = `${service.url}/api/v1/sandboxes/${id}/agent-server`;
    const socket = await TestSocket.open(`${door.replace('http', 'ws')}/sockets/bash-events`, {
      'X-Access-Token': service.key,
    });
    await service.run(id, 'echo over-the-socket');
    await eventually(() => expect(socket.messages.join('')).toContain('over-the-socket'));
    socket.socket.close();
    expect((await socket.closed).code).toBe(1005);

    // A path that climbs would arrive at the API server, with the service's credentials.
    for (const path of ['/..%2f..%2flog', '/%252e%252e/%252e%252e/log', '/..;/..;/exec']) {
      const { status } = await call(service, 'GET', `/api/v1/sandboxes/${id}/agent-server${path}`, {
        key: service.key,
      });
      expect([path, status]).toEqual([path, 400]);
    }

    const giveBack = await fixture.takeAway();
    await expect(service.run(id, 'true')).rejects.toThrow(/answered 5\d\d /);
    await giveBack();
    await eventually(async () => expect((await service.run(id, 'echo again')).stdout).toBe('again\n'));
    await service.deleteAll([id]);
  });
});
