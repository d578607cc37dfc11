import { ConformanceService } from '../../conformance/conformance-service';
import { TestSocket } from '../../support/sandbox-access/door-calls';
import { ClusterFixture } from '../../support/kubernetes/cluster-fixture';
import { serviceAccount } from '../../support/kubernetes/service-account';
import { describeWithCluster, TestCluster } from '../../support/kubernetes/test-cluster';
import { eventually } from '../../support/eventually';

describeWithCluster('a service outside of the cluster', () => {
  let cluster: TestCluster;
  let fixture: ClusterFixture;
  let service: ConformanceService;

  beforeAll(async () => {
    cluster = await TestCluster.shared();
    const namespace = await cluster.makeNamespace('outside');
    const token = await serviceAccount(cluster, namespace, ['rights.yaml', 'outside.yaml']);
    fixture = await ClusterFixture.open(cluster, namespace, token, { KUBERNETES_POD_ACCESS: 'proxy' });
    service = await ConformanceService.start(fixture);
  });
  afterAll(async () => {
    await service.stop();
    await fixture.close();
    await cluster.close();
  });

  it('reaches agent servers through the API server, with HTTP and WebSockets, and nothing but them', async () => {
    const message = { role: 'user', content: [{ type: 'text', text: 'Hello' }] };
    const conversation = await service.client.ready({ initial_message: message });
    expect(await service.client.texts(conversation, 'agent', 1)).toEqual([expect.stringContaining('Hello')]);
    const { sandbox_id: id } = await service.client.record(conversation);
    expect((await service.run(id, 'echo through')).stdout).toBe('through\n');

    const door = `http://${fixture.host}:${service.port}/api/v1/sandboxes/${id}/agent-server`;
    const socket = await TestSocket.open(`${door.replace('http', 'ws')}/sockets/bash-events`, {
      'X-Access-Token': service.key,
    });
    await service.run(id, 'echo over-the-socket');
    await eventually(() => expect(socket.messages.join('')).toContain('over-the-socket'));
    socket.socket.close();
    expect((await socket.closed).code).toBe(1005);

    // A path that climbs would arrive at the API server, with the service's credentials.
    for (const path of ['/..%2f..%2flog', '/%252e%252e/%252e%252e/log', '/..;/..;/exec']) {
      const { status } = await service.call('GET', `sandboxes/${id}/agent-server${path}`);
      expect([path, status]).toEqual([path, 400]);
    }

    const giveBack = await fixture.takeAway();
    const { status } = await service.call(
      'POST',
      `sandboxes/${id}/agent-server/api/bash/execute_bash_command`,
      {
        command: 'true',
      },
    );
    expect(status).toBeGreaterThanOrEqual(500);
    await giveBack();
    await eventually(async () => expect((await service.run(id, 'echo again')).stdout).toBe('again\n'));
    await service.deleteAll([id]);
  });
});
