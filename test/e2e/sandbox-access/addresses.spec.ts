import { rm } from 'node:fs/promises';
import { WebSocket } from 'ws';
import { ConversationService } from '../../support/service/conversation-service';
import { TestSocket } from '../../support/sandbox-access/door-calls';
import { talkAsClient } from '../../support/sandbox-access/talk-as-client';
import { makeSmallInterface } from '../../support/web-interface/small-interface';
import { eventually } from '../../support/eventually';

interface Sandbox {
  readonly status: string;
  readonly session_api_key: string;
  readonly exposed_urls: readonly { name: string; url: string; port: number }[] | null;
}

describe('with SANDBOX_ACCESS=door', () => {
  const PUBLIC = 'https://service.example/base';
  let service: ConversationService;
  beforeAll(async () => {
    service = await ConversationService.start({ SANDBOX_ACCESS: 'door', PUBLIC_URL: `${PUBLIC}/` });
  });
  afterAll(() => service.close());

  it('all addresses point to the door, and existing clients work with them unchanged', async () => {
    const task = await service.begin();
    const id = (await service.ended(task.id)).app_conversation_id ?? '';
    const record = await service.record(id);
    const door = `${PUBLIC}/api/v1/sandboxes/${record.sandbox_id}/agent-server`;
    expect(record.conversation_url).toBe(`${door}/api/conversations/${id}`);
    const { body } = await service.call<Sandbox[]>('GET', `/api/v1/sandboxes?id=${record.sandbox_id}`);
    expect(body[0]?.exposed_urls?.map(({ name, url }) => [name, url])).toEqual([['AGENT_SERVER', door]]);
    const listed = await service.call<{ runtime_url: string }>(
      'GET',
      `/api/organizations/${service.owner.orgId}/conversations/${id}`,
    );
    expect(listed.body.runtime_url).toBe(record.conversation_url);
    const ended = await service.call<{ agent_server_url: string }[]>(
      'GET',
      `/api/v1/app-conversations/start-tasks?ids=${task.id}`,
    );
    expect(ended.body[0]?.agent_server_url).toBe(door);

    // What a reverse proxy does with the public address.
    const here = record.conversation_url?.replace(PUBLIC, service.app.url) ?? '';
    await talkAsClient(here, record.session_api_key ?? '');
    await talkAsClient(here, service.owner.key);
  });

  it('a pause ends what is open, and a resume opens it again', async () => {
    const {
      sandbox_id: sandboxId,
      conversation_url: url,
      session_api_key: key,
    } = await service.record(await service.ready());
    const base = (url ?? '').replace(PUBLIC, service.app.url).split('/api/conversations/')[0] ?? '';
    const id = (url ?? '').split('/').at(-1) ?? '';
    const headers = { 'X-Session-API-Key': key ?? '' };
    const client = await TestSocket.open(`${base.replace('http', 'ws')}/sockets/events/${id}`, headers);
    await service.call('POST', `/api/v1/sandboxes/${sandboxId}/pause`);
    expect(await client.closed).toMatchObject({ code: 4009 });
    const path = `/api/v1/sandboxes/${sandboxId}/agent-server/server_info`;
    expect((await service.call<{ code: string }>('GET', path)).body.code).toBe('sandbox_not_running');
    await service.call('POST', `/api/v1/sandboxes/${sandboxId}/resume`);
    await eventually(async () => expect((await service.call('GET', path)).status).toBe(200), 60_000);
    const again = await TestSocket.open(`${base.replace('http', 'ws')}/sockets/events/${id}`, headers);
    expect(again.socket.readyState).toBe(WebSocket.OPEN);
    again.socket.close();
  });
});

describe('where the web interface is served', () => {
  let folder: string;
  let service: ConversationService;
  beforeAll(async () => {
    folder = await makeSmallInterface();
    service = await ConversationService.start({}, undefined, { webInterface: folder });
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('addresses of conversations lead through the door, and those of sandboxes to agent servers', async () => {
    const task = await service.begin();
    const id = (await service.ended(task.id)).app_conversation_id ?? '';
    const record = await service.record(id);
    const path = `/api/v1/sandboxes/${record.sandbox_id}/agent-server`;
    const { body } = await service.call<Sandbox[]>('GET', `/api/v1/sandboxes?id=${record.sandbox_id}`);
    const [{ url: direct, port } = { url: '', port: 0 }] = body[0]?.exposed_urls ?? [];
    expect(direct).toBe(`http://127.77.0.1:${port}`);
    expect(record.conversation_url).toBe(`${service.app.url}${path}/api/conversations/${id}`);
    const organization = `/api/organizations/${service.owner.orgId}/conversations`;
    const listed = await service.call<{ runtime_url: string }>('GET', `${organization}/${id}`);
    expect(listed.body.runtime_url).toBe(record.conversation_url);
    const exported = await service.call('GET', `${organization}/export`);
    expect(JSON.stringify(exported.body)).toContain(record.conversation_url);
    const ended = await service.call<{ agent_server_url: string }[]>(
      'GET',
      `/api/v1/app-conversations/start-tasks?ids=${task.id}`,
    );
    expect(ended.body[0]?.agent_server_url).toBe(direct);

    const key = record.session_api_key ?? '';
    await talkAsClient(record.conversation_url ?? '', key);
    await talkAsClient(`${direct}/api/conversations/${id}`, key);
    // What a page has relayed goes to the address it knows, and so does what another client has.
    for (const host of [`${service.app.url}${path}`, direct]) {
      const relayed = await service.call('POST', '/api/cloud-proxy', {
        body: {
          host,
          method: 'GET',
          path: `/api/conversations/${id}/events/count`,
          headers: { 'X-Session-API-Key': key },
        },
      });
      expect([host, relayed.status]).toEqual([host, 200]);
    }
  });
});
