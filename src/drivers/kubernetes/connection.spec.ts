import { eventually } from '../../../test/support/eventually';
import { answer, ScriptedApiServer, watch } from '../../../test/support/kubernetes/scripted-api-server';
import { newId } from '../../kernel/common';
import { ClusterApi } from './cluster/cluster-api';
import { ClusterConnection } from './connection';
import { namespacesOf } from './kubernetes-options';

const ID = newId();
const ORG = newId();
const OWN = `o-${ORG}`;

let server: ScriptedApiServer;
let connection: ClusterConnection;

/** @param objects by the last part of their path */
async function connect(
  objects: Readonly<Record<'sandboxes' | 'pods', readonly unknown[]>>,
  pattern = 'o-{org}',
): Promise<void> {
  server = await ScriptedApiServer.start(({ url = '' }) => {
    if (url.includes('watch=true')) return watch([]);
    const items = url.includes('/pods?') ? objects.pods : objects.sandboxes;
    return answer(200, { metadata: { resourceVersion: '9' }, items });
  });
  const namespaces = namespacesOf({ KUBERNETES_NAMESPACE: pattern }, 'default');
  const options = { namespaces, throughProxy: false, warmPool: false };
  connection = new ClusterConnection(new ClusterApi(server.access), options, () => undefined);
  await connection.synced();
}

afterEach(async () => {
  await connection.close();
  await server.stop();
});

function object(namespace: string, more: Record<string, unknown> = {}, org = ORG): Record<string, unknown> {
  const labels = { 'sandbox.users.io/id': ID, 'org-conversation-service/organization': org };
  return { name: 'sandbox', namespace, resourceVersion: '1', uid: `${namespace}-uid`, labels, ...more };
}

function pod(namespace: string, podIP: string, owner = `${namespace}-uid`, org = ORG): unknown {
  const ownerReferences = [{ kind: 'Sandbox', name: 'sandbox', uid: owner }];
  const metadata = object(namespace, { ownerReferences, name: podIP, uid: podIP }, org);
  return { metadata, status: { phase: 'Running', podIP } };
}

it("takes nothing in anybody else's namespace for a sandbox, whatever its labels say", async () => {
  const another = newId();
  await connect({
    sandboxes: [
      { metadata: object('evil') },
      { metadata: object(OWN) },
      { metadata: object(`o-${another}`) },
    ],
    pods: [pod(OWN, '10.0.0.1'), pod('evil', '10.6.6.6'), pod(`o-${another}`, '10.6.6.7')],
  });
  expect(connection.objects.sandbox(ID)?.namespace).toBe(OWN);
  expect(connection.locate(ID, ORG)).toEqual({ baseUrl: 'http://10.0.0.1:8000' });
});

it('takes nothing of another organization for a sandbox, which may have rights in its own namespace', async () => {
  const other = newId();
  const theirs = `o-${other}`;
  await connect({
    sandboxes: [{ metadata: object(theirs, {}, other) }, { metadata: object(OWN) }],
    pods: [pod(theirs, '10.6.6.6', undefined, other), pod(OWN, '10.0.0.1')],
  });
  expect(connection.locate(ID, ORG)).toEqual({ baseUrl: 'http://10.0.0.1:8000' });
});

it("takes no pod for a sandbox's that belongs to another", async () => {
  await connect(
    { sandboxes: [{ metadata: object('all') }], pods: [pod('all', '10.0.0.1'), pod('all', '10.6.6.6', 'x')] },
    'all',
  );
  expect(connection.locate(ID, ORG)).toEqual({ baseUrl: 'http://10.0.0.1:8000' });
});

it('knows only what it was told last, and says when it is told nothing', async () => {
  await connect({ sandboxes: [{ metadata: object('all') }], pods: [pod('all', '10.0.0.1')] }, 'all');
  expect(connection.isCurrent).toBe(true);
  await server.stop();
  await eventually(() => expect(connection.isCurrent).toBe(false));
  expect(connection.locate(ID, ORG)).toEqual({ baseUrl: 'http://10.0.0.1:8000' });
});
