import { request } from 'node:http';
import { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { Load } from '../../support/replicas/load';
import { Nginx } from '../../support/replicas/nginx';
import { describeWith } from '../../support/replicas/programs';
import { Replicas } from '../../support/replicas/replicas';
import { saying } from '../../support/queue/queued-messages';
import { TestSocket } from '../../support/sandbox-access/door-calls';
import { RawClient, rawRequest } from '../../support/sandbox-access/raw-client';
import { ConversationClient } from '../../support/service/conversation-client';
import { freePort } from '../../support/service/free-port';
import { startTcpProxy, type TcpProxy } from '../../support/service/tcp-proxy';

const CONVERSATIONS = 3;

/** The text of a user's message in an event of a stream, or null. */
function textOf(data: string): string | null {
  const event = JSON.parse(data) as {
    source: string;
    llm_message?: { content: { text: string }[] };
  };
  return event.source === 'user' ? (event.llm_message?.content[0]?.text ?? null) : null;
}

describeWith('nginx', 'two replicas behind nginx as it is shipped', () => {
  let database: TestDatabase;
  let double: AgentServerDouble;
  let way: TcpProxy;
  let nginx: Nginx;
  let replicas: Replicas;
  let client: ConversationClient;
  let load: Load | undefined;
  let ports: readonly [number, number];

  beforeAll(async () => {
    database = await createTestDatabase();
    way = await startTcpProxy(database.url);
    ports = [await freePort(), await freePort()];
    nginx = await Nginx.start(ports);
    double = await AgentServerDouble.start({
      webhookUrl: `${nginx.url}/api/v1/webhooks`,
      webhookBatch: 100,
    });
    replicas = await Replicas.start({
      ports,
      databaseUrls: [way.url, way.url],
      double,
      env: { STOP_DELAY_SECONDS: '6', TRUSTED_HOPS: '1', SANDBOX_ACCESS: 'door', PUBLIC_URL: nginx.url },
    });
    client = new ConversationClient({ url: nginx.url }, replicas.key);
  });

  afterAll(async () => {
    await load?.stop();
    await replicas.close();
    await nginx.stop();
    await double.stop();
    await way.cut();
    await database.drop();
  });

  /** Waits until more messages went to a replica than before. */
  async function isUsed(index: number, path: string): Promise<void> {
    const used = async (): Promise<number> =>
      (await nginx.attempts(path)).filter((address) => address === `127.0.0.1:${ports[index]}`).length;
    const before = await used();
    await eventually(async () => expect(await used()).toBeGreaterThan(before));
  }

  /** What a request is answered whose path is sent as it is written. */
  async function answerTo(path: string): Promise<string> {
    const stranger = await RawClient.connect(nginx.url);
    stranger.socket.write(rawRequest(`GET ${path}`, ['Connection: close']));
    await stranger.closed();
    return stranger.text;
  }

  it('are restarted in turn under load: no request fails, no message is lost or doubled, streams miss nothing', async () => {
    const conversationIds: string[] = [];
    for (let i = 0; i < CONVERSATIONS; i++) conversationIds.push(await client.ready());
    load = new Load({ url: nginx.url, key: replicas.key, conversationIds });
    const [firstId = ''] = conversationIds;
    const sending = `/api/v1/app-conversations/${firstId}/send-message`;
    for (const index of ports.keys()) await isUsed(index, sending);

    for (const index of ports.keys()) {
      expect(await replicas.process(index).stop('SIGTERM')).toBe(0);
      await replicas.launch(index);
      await isUsed(index, sending);
    }
    const { sent: sentTo } = load;
    await eventually(() => {
      for (const id of conversationIds) expect(sentTo.get(id)?.length).toBeGreaterThan(50);
    });
    await load.stopCalls();

    expect(load.failures).toEqual([]);
    for (const id of conversationIds) {
      const sent = sentTo.get(id) ?? [];
      expect(double.messages(id).map(({ text }) => text)).toEqual(sent);
      const stream = load.streams.get(id);
      await eventually(() =>
        expect(stream?.messages.flatMap(({ data }) => textOf(data) ?? [])).toEqual(sent),
      );
      const positions = stream?.messages.map((event) => Number(event.id)) ?? [];
      expect(positions).toEqual(positions.map((_, at) => at + 1));
      expect(stream?.refusals).toEqual([]);
    }
    // Each stream was on one of the two, at least.
    const resumed = [...load.streams.values()].map((stream) => stream.resumed);
    expect(Math.min(...resumed)).toBeGreaterThan(0);
  });

  it('refuse a stranger before the body has come, of which nginx keeps nothing', async () => {
    const outgoing = request(`${nginx.url}/api/v1/app-conversations`, {
      method: 'POST',
      headers: { 'content-length': 90 * 1024 * 1024 },
    });
    const refused = new Promise<number | undefined>((resolve, reject) => {
      outgoing.once('response', ({ statusCode }) => resolve(statusCode)).once('error', reject);
    });
    outgoing.write(Buffer.alloc(1024 * 1024, ' '));
    expect(await refused).toBe(401);
    outgoing.destroy();
  });

  it.each([
    ...[
      '/metrics',
      '/metrics/',
      '/METRICS',
      '/Metrics//',
      '/metrics?x',
      '/%6Detrics',
      '/metrics%2F',
      '//metrics',
    ],
    '/x/../metrics',
    'http://service/metrics',
  ])(
    'tell what is going on in the installation to nobody from outside, by whatever spelling: %s',
    async (path) => {
      expect(await answerTo(path)).toMatch(/^HTTP\/1\.1 403 /);
    },
  );

  it.each([
    '/metrics\\#',
    '//user@service/metrics#',
    'http://service//user@service/metrics#',
    '//user@service/metrics?\u00a0',
  ])('are not asked for a path that they would read otherwise than nginx: %s', async (path) => {
    expect(await answerTo(path)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('answer a body that they refuse unread, and stay in use', async () => {
    const body = Buffer.alloc(32 * 1024 * 1024, ' ');
    const before = await nginx.errors();
    for (let i = 0; i < 4; i++) {
      const response = await fetch(`${nginx.url}/api/v1/app-conversations`, { method: 'POST', body });
      expect([response.status, await response.json()]).toMatchObject([401, { code: 'not_authenticated' }]);
    }
    expect((await nginx.errors()).slice(before.length)).not.toContain('disabled');
  });

  it('pass WebSockets of agent servers through the door', async () => {
    const id = await client.ready();
    const { conversation_url } = await client.record(id);
    const [agentServer = ''] = conversation_url?.split('/api/conversations/') ?? [];
    expect(agentServer).toContain(nginx.url);
    const address = `${agentServer.replace('http', 'ws')}/sockets/events/${id}`;
    const socket = await TestSocket.open(address, { 'X-Access-Token': replicas.key });
    const said = await client.call('POST', `/api/v1/app-conversations/${id}/send-message`, {
      body: saying('hello'),
    });
    expect(said.status).toBe(200);
    await eventually(() => expect(socket.messages.join()).toContain('hello'));
    socket.socket.terminate();
  });

  it('answer for themselves while the database is away and nginx has given up both', async () => {
    const ask = async (path: string): Promise<unknown[]> => {
      const response = await fetch(nginx.url + path, { headers: { 'X-Access-Token': replicas.key } });
      const body = (await response.json()) as { code?: string }; // what nginx says itself is no JSON
      return [response.status, body.code];
    };
    await way.cut();
    try {
      await eventually(async () => expect(await ask('/ready')).toEqual([503, 'database_unavailable']));
      expect(await nginx.errors()).toMatch(/temporarily disabled[^\n]*\/ready[^\n]*\n.*temporarily disabled/);
      expect(await ask('/api/v1/app-conversations/search')).toEqual([503, 'database_unavailable']);
      expect(await ask('/alive')).toEqual([200, undefined]);
    } finally {
      await way.restore();
    }
    await eventually(async () => expect(await ask('/ready')).toEqual([200, undefined]));
  });
});
