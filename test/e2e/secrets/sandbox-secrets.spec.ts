import { ConversationService } from '../../support/service/conversation-service';
import { makeCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import { DoubledService } from '../../support/agent-server/doubled-service';

const VALUE = 'the-value-of-a-secret\n';

describe('secrets for a sandbox', () => {
  let service: ConversationService;
  beforeAll(async () => (service = await ConversationService.start()));
  afterAll(() => service.close());

  const read = (sandboxId: string, sandboxKey: string, name = '') =>
    call<ErrorBody>(service.app, 'GET', `/api/v1/sandboxes/${sandboxId}/settings/secrets${name}`, {
      headers: { 'X-Session-API-Key': sandboxKey },
    });

  it('are those of its creator, and nobody else’s', async () => {
    await service.call('POST', '/api/v1/secrets', {
      body: { name: 'NPM_TOKEN', value: VALUE, description: 'd' },
    });
    const colleague = await makeCaller(service.app.db, service.owner.orgId);
    await call(service.app, 'POST', '/api/v1/secrets', {
      key: colleague.key,
      body: { name: 'THEIRS', value: 'x' },
    });
    const conversation = await service.record(await service.ready());
    const [id, key] = [conversation.sandbox_id, conversation.session_api_key ?? ''];
    expect(await read(id, key)).toMatchObject({
      status: 200,
      body: { secrets: [{ name: 'NPM_TOKEN', description: 'd' }] },
    });
    const { status, body, headers } = await read(id, key, '/NPM_TOKEN');
    expect([status, body, headers['cache-control']]).toEqual([200, VALUE, 'no-store']);
    expect(headers['content-type']).toContain('text/plain');
    expect(await read(id, key, '/THEIRS')).toMatchObject({ status: 404, body: { code: 'secret_not_found' } });
    expect((await read(id, service.owner.key)).status).toBe(401);
    const other = 'a8098c1a-f86e-41da-bd1a-00112444be1e';
    for (const name of ['', '/NPM_TOKEN'])
      expect(await read(other, key, name)).toMatchObject({
        status: 404,
        body: { code: 'sandbox_not_found' },
      });
  });
});

describe('an agent server that several sandboxes share', () => {
  it('gets no secrets by its key', async () => {
    const doubled = await DoubledService.start();
    try {
      await doubled.service.call('POST', '/api/v1/secrets', { body: { name: 'A', value: VALUE } });
      const { sandboxId } = await doubled.conversation();
      const headers = { 'X-Session-API-Key': doubled.double.target.apiKey };
      const path = `/api/v1/sandboxes/${sandboxId}/settings/secrets`;
      expect(await call(doubled.service.app, 'GET', path, { headers })).toMatchObject({
        status: 200,
        body: { secrets: [] },
      });
      expect((await call(doubled.service.app, 'GET', `${path}/A`, { headers })).status).toBe(404);
    } finally {
      await doubled.close();
    }
  });
});
