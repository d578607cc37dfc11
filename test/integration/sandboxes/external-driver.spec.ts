import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { SessionKeyVerifier } from '../../../src/sandboxes/sandboxes';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import { SandboxService } from '../../support/agent-server/sandboxes';

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

  it('has no logs to show: they would be those of all sandboxes', async () => {
    const { id } = await service.createRunning();
    const { status, body } = await service.call<ErrorBody>('GET', `/api/v1/sandboxes/${id}/logs`);
    expect([status, body.code]).toEqual([409, 'sandbox_logs_unavailable']);
  });

  it('is not there for other organizations than the one it serves', async () => {
    const other = await makeCaller(service.app.db, (await makeOrg(service.app.db)).id, 'owner');
    const { status, body } = await service.call<ErrorBody>('POST', '/api/v1/sandboxes', other);
    expect([status, body.code]).toEqual([403, 'driver_not_available']);
  });

  it('is ERROR within 10 s when the server is away, and cannot be resumed until it is back', async () => {
    const { id } = await service.createRunning();
    isAnswering = false;
    await service.until(id, 'ERROR');
    const refused = await service.call<ErrorBody>('POST', `/api/v1/sandboxes/${id}/resume`);
    expect([refused.status, refused.body.code]).toEqual([503, 'sandbox_driver_unavailable']);
    expect(refused.headers['retry-after']).toBeDefined();
    isAnswering = true;
    expect((await service.call('POST', `/api/v1/sandboxes/${id}/resume`)).status).toBe(200);
    await service.until(id, 'RUNNING');
  });

  it('runs again by itself when the server is back', async () => {
    const { id } = await service.createRunning();
    isAnswering = false;
    await service.until(id, 'ERROR');
    isAnswering = true;
    await service.until(id, 'RUNNING');
  });

  /** Until the job that looks after sandboxes has planned its next run once more. */
  async function look(): Promise<void> {
    const planned = async (): Promise<unknown> => {
      const sql = `SELECT id, run_at FROM graphile_worker.jobs WHERE key = 'every:sandbox-watch'`;
      return (await service.app.db.query<unknown[]>(sql))[0];
    };
    const before = await planned();
    await eventually(async () => expect(await planned()).not.toEqual(before));
  }

  it('stays ERROR when it was to be paused, or when its creator is no member any more', async () => {
    const leaver = await makeCaller(service.app.db, service.caller.orgId);
    const [paused, left, silent] = await Promise.all([
      service.createRunning(),
      service.call<{ id: string }>('POST', '/api/v1/sandboxes', leaver).then(({ body }) => body),
      service.createRunning(),
    ]);
    await service.app.db.query('DELETE FROM org_members WHERE user_id = $1', [leaver.userId]);
    const failed = (id: string, detail: string): Promise<unknown> =>
      service.app.db.query(
        `UPDATE sandboxes SET status = 'ERROR', status_detail = $2, stopping = NULL, deadline_at = NULL WHERE id = $1`,
        [id, detail],
      );
    await failed(paused.id, 'The sandbox did not get there in time.');
    await failed(left.id, 'The agent server no longer answered.');
    await failed(silent.id, 'The agent server no longer answered.');
    // All three are looked at together.
    await service.until(silent.id, 'RUNNING');
    const rows = await service.app.db.query<unknown>(
      'SELECT DISTINCT status FROM sandboxes WHERE id = ANY ($1)',
      [[paused.id, left.id]],
    );
    expect(rows).toEqual([{ status: 'ERROR' }]);
  });

  it('waits for capacity without logging a warning when the server is back and the cap is reached', async () => {
    const { db } = service.app;
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const { id } = await service.createRunning();
    const owner = [service.caller.orgId, service.caller.userId];
    await db.query(`INSERT INTO sandbox_hosts (id, seen_at) VALUES ('full', now() + interval '1 hour')`);
    await db.query(
      `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, host_id, status, last_activity_at)
       SELECT gen_random_uuid(), $1, $2, 'process', 'full', 'RUNNING', now() FROM generate_series(1, 20)`,
      owner,
    );
    await db.query(
      `UPDATE sandboxes SET status = 'ERROR', status_detail = 'The agent server no longer answered.' WHERE id = $1`,
      [id],
    );
    try {
      await look();
      await look();
      expect((await service.read(id)).status).toBe('ERROR');
      expect(warn.mock.calls.filter(([text]) => String(text).includes(id))).toEqual([]);
    } finally {
      warn.mockRestore();
      await db.query(`DELETE FROM sandboxes WHERE host_id = 'full'`);
    }
    await service.until(id, 'RUNNING');
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
    // Calls are repeated where a lease lapses on a busy machine.
    expect(new Set(calls)).toEqual(new Set([`POST /api/conversations/${mine}/pause`]));
    calls.length = 0;
    await service.call('DELETE', `/api/v1/sandboxes/${id}`);
    await service.until(id, 'MISSING');
    await eventually(() =>
      expect([...new Set(calls)]).toEqual([
        `POST /api/conversations/${mine}/interrupt`,
        `DELETE /api/conversations/${mine}`,
      ]),
    );
  });

  it('has no secrets for the key of the server', async () => {
    const { id } = await service.createRunning();
    const path = `/api/v1/sandboxes/${id}/settings/secrets`;
    const response = await call(service.app, 'GET', path, { headers: { 'X-Session-API-Key': KEY } });
    expect([response.status, response.body]).toEqual([200, { secrets: [] }]);
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
