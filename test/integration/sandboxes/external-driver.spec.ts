import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SessionKeyVerifier } from '../../../src/sandboxes';
import { makeCaller, makeOrg } from '../../support/factories';
import { call, type ErrorBody } from '../../support/http';
import { SandboxService } from '../../support/sandboxes';

const KEY = 'key of the external server';

describe('a sandbox of the external driver', () => {
  let service: SandboxService;
  let server: Server;
  let isAnswering = true;
  const calls: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (!isAnswering) {
        response.destroy();
        return;
      }
      const isOpen = request.url === '/health' || request.headers['x-session-api-key'] === KEY;
      if (request.method !== 'GET') calls.push(`${request.method} ${request.url}`);
      response.writeHead(isOpen ? (request.method === 'GET' && request.url !== '/health' ? 404 : 200) : 401);
      response.end(JSON.stringify({ success: true }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    service = await SandboxService.start({
      SANDBOX_DRIVER: 'external',
      AGENT_SERVER_URL: `http://127.0.0.1:${port}/`,
      AGENT_SERVER_API_KEY: KEY,
    });
  });

  beforeEach(() => {
    isAnswering = true;
    calls.length = 0;
  });

  afterAll(async () => {
    await service.stop();
    server.close();
  });

  it('is RUNNING at the address of the server, whose key is never handed out', async () => {
    const { status, session_api_key, exposed_urls } = await service.createRunning();
    const { port } = server.address() as AddressInfo;
    expect({ status, session_api_key, exposed_urls }).toEqual({
      status: 'RUNNING',
      session_api_key: null,
      exposed_urls: [{ name: 'AGENT_SERVER', url: `http://127.0.0.1:${port}`, port }],
    });
  });

  it('is not there for other organizations than the one it serves', async () => {
    const other = await makeCaller(service.app.db, (await makeOrg(service.app.db)).id, 'owner');
    const { status, body } = await service.call<ErrorBody>('POST', '/api/v1/sandboxes', other);
    expect([status, body.code]).toEqual([403, 'driver_not_available']);
  });

  it('is ERROR within 10 s when the server is away, and cannot be resumed until it is back', async () => {
    const { id } = await service.createRunning();
    isAnswering = false;
    await service.until(id, 'ERROR', 10_000);
    const refused = await service.call<ErrorBody>('POST', `/api/v1/sandboxes/${id}/resume`);
    expect([refused.status, refused.body.code]).toEqual([503, 'sandbox_driver_unavailable']);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    isAnswering = true;
    expect((await service.call('POST', `/api/v1/sandboxes/${id}/resume`)).status).toBe(200);
    await service.until(id, 'RUNNING');
  });

  it('runs again by itself when the server is back', async () => {
    const { id } = await service.createRunning();
    isAnswering = false;
    await service.until(id, 'ERROR', 10_000);
    isAnswering = true;
    await service.until(id, 'RUNNING', 10_000);
  });

  it('pauses and deletes its own conversations on the server', async () => {
    const { id } = await service.createRunning();
    const mine = '11111111-1111-4111-8111-111111111111';
    await service.app.db.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state)
       VALUES ($1, $2, $3, $4, 'ready')`,
      [mine, service.caller.orgId, service.caller.userId, id],
    );
    await service.call('POST', `/api/v1/sandboxes/${id}/pause`);
    await service.until(id, 'PAUSED');
    expect(calls).toEqual([`POST /api/conversations/${mine}/pause`]);
    await service.call('DELETE', `/api/v1/sandboxes/${id}`);
    await service.until(id, 'MISSING');
    expect(calls.slice(1)).toEqual([`DELETE /api/conversations/${mine}`]);
  });

  it('has no secrets for the key of the server', async () => {
    const { id } = await service.createRunning();
    const path = `/api/v1/sandboxes/${id}/settings/secrets`;
    const answer = await call(service.app, 'GET', path, { headers: { 'X-Session-API-Key': KEY } });
    expect([answer.status, answer.body]).toEqual([200, { secrets: [] }]);
  });

  it('lets the key of the server speak for the organization it serves', async () => {
    const verifier = service.app.app.get(SessionKeyVerifier);
    expect(await verifier.verify(KEY)).toEqual({
      sandboxId: null,
      orgId: service.caller.orgId,
      createdByUserId: null,
    });
    expect(await verifier.verify('another key')).toBeNull();
  });
});
