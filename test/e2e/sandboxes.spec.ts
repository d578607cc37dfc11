import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { eventually } from '../support/eventually';
import { type ErrorBody, call } from '../support/service/http';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../support/service/factories';
import { type SandboxRecord, SandboxService } from '../support/agent-server/sandboxes';

describe('operations on sandboxes', () => {
  let service: SandboxService;
  let colleague: TestCaller;
  let running: SandboxRecord;

  beforeAll(async () => {
    service = await SandboxService.start();
    colleague = await makeCaller(service.app.db, service.caller.orgId, 'owner');
    running = await service.createRunning();
  });

  afterAll(async () => {
    await service.stop();
  });

  it.each([
    ['POST', '/api/v1/sandboxes'],
    ['GET', `/api/v1/sandboxes?id=${randomUUID()}`],
    ['GET', '/api/v1/sandboxes/search'],
    ['POST', `/api/v1/sandboxes/${randomUUID()}/pause`],
    ['POST', `/api/v1/sandboxes/${randomUUID()}/resume`],
    ['DELETE', `/api/v1/sandboxes/${randomUUID()}`],
    ['GET', `/api/v1/sandboxes/${randomUUID()}/logs`],
    ['GET', '/api/v1/sandbox-specs/search'],
    ['GET', '/api/v1/sandbox-specs?id=process'],
  ])('%s %s needs a key', async (method, path) => {
    expect((await call(service.app, method, path)).status).toBe(401);
  });

  describe('POST /api/v1/sandboxes', () => {
    it('answers a sandbox that is STARTING, without a key yet', async () => {
      const created = await service.create();
      expect(created).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        created_by_user_id: service.caller.userId,
        sandbox_spec_id: 'process',
        status: 'STARTING',
        session_api_key: null,
        exposed_urls: null,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        status_detail: null,
      });
    });

    it('takes the one spec there is, and answers 404 to others', async () => {
      expect((await service.call('POST', '/api/v1/sandboxes?sandbox_spec_id=process')).status).toBe(200);
      const unknown = await service.call<ErrorBody>('POST', '/api/v1/sandboxes?sandbox_spec_id=other');
      expect([unknown.status, unknown.body.code]).toEqual([404, 'sandbox_spec_not_found']);
    });

    it('takes the key as a bearer token too', async () => {
      const { status } = await call(service.app, 'GET', `/api/v1/sandboxes?id=${running.id}`, {
        headers: { Authorization: `Bearer ${service.caller.key}` },
      });
      expect(status).toBe(200);
    });
  });

  describe('GET /api/v1/sandboxes', () => {
    it('answers one entry for each id in order, null where it is unknown', async () => {
      const { status, body } = await service.call(
        'GET',
        `/api/v1/sandboxes?id=${randomUUID()}&id=${running.id}&id=${running.id.replaceAll('-', '').toUpperCase()}`,
      );
      expect(status).toBe(200);
      expect(body).toEqual([null, running, running]);
    });

    it.each(['', '?id=x', `?${`id=${randomUUID()}&`.repeat(101)}`])('answers 422 to %s', async (query) => {
      expect((await service.call('GET', `/api/v1/sandboxes${query}`)).status).toBe(422);
    });

    it("answers null for a colleague's, even to an owner", async () => {
      const { body } = await service.call('GET', `/api/v1/sandboxes?id=${running.id}`, colleague);
      expect(body).toEqual([null]);
    });

    it('answers null when the key is bound to another organization', async () => {
      const other = await makeOrg(service.app.db);
      const { key } = await makeKey(service.app.db, service.caller.userId, { orgId: other.id });
      const { body } = await call(service.app, 'GET', `/api/v1/sandboxes?id=${running.id}`, { key });
      expect(body).toEqual([null]);
    });

    it.each(['', '?id=', '?id=nonsense'])('answers 422 to %s', async (query) => {
      expect((await service.call('GET', `/api/v1/sandboxes${query}`)).status).toBe(422);
    });
  });

  describe('GET /api/v1/sandboxes/search', () => {
    it("lists the caller's own, newest first, page by page", async () => {
      const owner = await makeCaller(service.app.db, service.caller.orgId);
      const made: string[] = [];
      for (let n = 0; n < 3; n++)
        made.unshift((await service.call<SandboxRecord>('POST', '/api/v1/sandboxes', owner)).body.id);
      type Page = { items: SandboxRecord[]; next_page_id: string | null };
      const first = await service.call<Page>('GET', '/api/v1/sandboxes/search?limit=2', owner);
      expect(first.body.items.map(({ id }) => id)).toEqual(made.slice(0, 2));
      const rest = await service.call<Page>(
        'GET',
        `/api/v1/sandboxes/search?limit=1000&page_id=${first.body.next_page_id}`,
        owner,
      );
      expect(rest.body.items.map(({ id }) => id)).toEqual(made.slice(2));
      expect(rest.body.next_page_id).toBeNull();
    });

    it('answers 422 to a limit below 1', async () => {
      expect((await service.call('GET', '/api/v1/sandboxes/search?limit=0')).status).toBe(422);
    });
  });

  describe.each(['pause', 'resume'])('POST /api/v1/sandboxes/{sandbox_id}/%s', (operation) => {
    it('answers 404 for an unknown sandbox and for a colleague’s', async () => {
      const unknown = await service.call<ErrorBody>('POST', `/api/v1/sandboxes/${randomUUID()}/${operation}`);
      expect([unknown.status, unknown.body.code]).toEqual([404, 'sandbox_not_found']);
      const path = `/api/v1/sandboxes/${running.id}/${operation}`;
      expect((await service.call('POST', path, colleague)).status).toBe(404);
      expect((await service.read(running.id)).status).toBe('RUNNING');
    });

    it('answers 404 to what is no id', async () => {
      expect((await service.call('POST', `/api/v1/sandboxes/nonsense/${operation}`)).status).toBe(404);
    });

    it('answers 404 for one that is gone', async () => {
      const { id } = await service.createRunning();
      await service.call('DELETE', `/api/v1/sandboxes/${id}`);
      await service.until(id, 'MISSING');
      expect((await service.call('POST', `/api/v1/sandboxes/${id}/${operation}`)).status).toBe(404);
    });
  });

  it('pause and resume answer success, again and again, and change the status at once', async () => {
    const { id } = await service.createRunning();
    for (const expected of ['PAUSED', 'PAUSED']) {
      const { status, body } = await service.call('POST', `/api/v1/sandboxes/${id}/pause`);
      expect([status, body]).toEqual([200, { success: true }]);
      expect((await service.read(id)).status).toBe(expected);
    }
    for (let n = 0; n < 2; n++) {
      const { status, body } = await service.call('POST', `/api/v1/sandboxes/${id}/resume`);
      expect([status, body]).toEqual([200, { success: true }]);
      expect((await service.read(id)).status).toMatch(/^(STARTING|RUNNING)$/);
    }
    await service.until(id, 'RUNNING');
  });

  it('resume answers 503 while the host of the sandbox is away', async () => {
    const { id } = await service.createRunning();
    await service.call('POST', `/api/v1/sandboxes/${id}/pause`);
    await service.until(id, 'PAUSED');
    await service.app.db.query(`UPDATE sandboxes SET host_id = 'away' WHERE id = $1`, [id]);
    const { status, headers, body } = await service.call<ErrorBody>('POST', `/api/v1/sandboxes/${id}/resume`);
    expect([status, body.code]).toEqual([503, 'sandbox_driver_unavailable']);
    expect(headers['retry-after']).toBeDefined();
    await service.app.db.query(`UPDATE sandboxes SET host_id = 'test-host' WHERE id = $1`, [id]);
  });

  describe('DELETE /api/v1/sandboxes/{sandbox_id}', () => {
    it('answers success and leaves the sandbox known as MISSING', async () => {
      const { id } = await service.createRunning();
      const { status, body } = await service.call('DELETE', `/api/v1/sandboxes/${id}?sandbox_id=${id}`);
      expect([status, body]).toEqual([200, { success: true }]);
      await service.until(id, 'MISSING');
      expect((await service.call('DELETE', `/api/v1/sandboxes/${id}`)).status).toBe(404);
    });

    it('answers 409 to a resume while it is under way', async () => {
      const { id } = await service.createRunning();
      // Its job is done with it.
      await eventually(async () =>
        expect(
          await service.app.db.query<unknown[]>(
            'SELECT 1 FROM sandboxes WHERE id = $1 AND claimed_until IS NULL',
            [id],
          ),
        ).toHaveLength(1),
      );
      await service.app.db.query(
        `UPDATE sandboxes SET status = 'PAUSED', stopping = 'delete', host_id = 'away' WHERE id = $1`,
        [id],
      );
      const { status, body } = await service.call<ErrorBody>('POST', `/api/v1/sandboxes/${id}/resume`);
      expect([status, body.code]).toEqual([409, 'sandbox_not_resumable']);
      await service.app.db.query(`UPDATE sandboxes SET host_id = 'test-host' WHERE id = $1`, [id]);
    });

    it('answers 404 for a colleague’s', async () => {
      expect((await service.call('DELETE', `/api/v1/sandboxes/${running.id}`, colleague)).status).toBe(404);
    });
  });

  describe('GET /api/v1/sandboxes/{sandbox_id}/logs', () => {
    const read = (id: string, query = '') =>
      service.call<{ lines: string[] } & ErrorBody>('GET', `/api/v1/sandboxes/${id}/logs${query}`);
    const write = (text: string) => writeFile(`${service.home(running.id)}.log`, text);

    it('answers what the agent server wrote, and still does when it is paused', async () => {
      const { id } = await service.createRunning();
      const written = {
        status: 200,
        body: { lines: [expect.stringMatching(/^listening on 0\.0\.0\.0:\d+$/)] },
      };
      expect(await read(id)).toMatchObject(written);
      await service.call('POST', `/api/v1/sandboxes/${id}/pause`);
      await service.until(id, 'PAUSED');
      expect(await read(id)).toMatchObject(written);
    });

    it('answers the last 200 lines, or as many as are asked for up to 1,000', async () => {
      const lines = Array.from({ length: 1_500 }, (_, n) => `line ${n}`);
      await write(`${lines.join('\n')}\n`);
      expect((await read(running.id)).body.lines).toEqual(lines.slice(-200));
      expect((await read(running.id, '?limit=3')).body.lines).toEqual(lines.slice(-3));
      expect((await read(running.id, '?limit=5000')).body.lines).toEqual(lines.slice(-1_000));
      expect((await read(running.id, '?limit=0')).status).toBe(422);
    });

    it('answers 256 KiB at most: whole lines, or the end of one', async () => {
      const line = 'x'.repeat(100 * 1024);
      await write([line, line, line].join('\n'));
      expect((await read(running.id)).body.lines).toEqual([line, line]);
      await write(line.repeat(3));
      expect((await read(running.id)).body.lines).toEqual(['x'.repeat(256 * 1024)]);
    });

    it('answers 404 for an unknown sandbox, a colleague’s, and one that is gone', async () => {
      for (const id of [randomUUID(), 'nonsense'])
        expect(await read(id)).toMatchObject({ status: 404, body: { code: 'sandbox_not_found' } });
      const path = `/api/v1/sandboxes/${running.id}/logs`;
      expect((await service.call('GET', path, colleague)).status).toBe(404);
      const { id } = await service.createRunning();
      await service.call('DELETE', `/api/v1/sandboxes/${id}`);
      await service.until(id, 'MISSING');
      expect((await read(id)).status).toBe(404);
    });

    it('answers 503 where they are on another host', async () => {
      const { id } = await service.createRunning();
      await service.app.db.query(`UPDATE sandboxes SET host_id = 'away' WHERE id = $1`, [id]);
      expect(await read(id)).toMatchObject({ status: 503, body: { code: 'sandbox_logs_elsewhere' } });
      await service.app.db.query(`UPDATE sandboxes SET host_id = 'test-host' WHERE id = $1`, [id]);
    });
  });

  it('GET /api/v1/sandbox-specs?id= answers one entry for each id, null for what there is not', async () => {
    const { status, body } = await service.call('GET', '/api/v1/sandbox-specs?id=nonsense&id=process');
    expect([status, body]).toEqual([
      200,
      [null, { id: 'process', description: expect.any(String) as string }],
    ]);
    for (const query of ['', `?${'id=process&'.repeat(101)}`])
      expect((await service.call('GET', `/api/v1/sandbox-specs${query}`)).status).toBe(422);
  });

  it('GET /api/v1/sandbox-specs/search lists the one kind there is', async () => {
    const { status, body } = await service.call('GET', '/api/v1/sandbox-specs/search?limit=10');
    expect(status).toBe(200);
    expect(body).toEqual({
      items: [{ id: 'process', description: expect.any(String) as string }],
      next_page_id: null,
    });
  });

  describe('GET /api/v1/sandboxes/{sandbox_id}/settings/secrets', () => {
    const ask = (id: string, key: string | null) =>
      call<ErrorBody>(service.app, 'GET', `/api/v1/sandboxes/${id}/settings/secrets`, {
        headers: key === null ? {} : { 'X-Session-API-Key': key },
      });

    it('answers that there are none, to the key of the sandbox', async () => {
      const { status, body } = await ask(running.id, running.session_api_key);
      expect([status, body]).toEqual([200, { secrets: [] }]);
      const one = await call(service.app, 'GET', `/api/v1/sandboxes/${running.id}/settings/secrets/NAME`, {
        headers: { 'X-Session-API-Key': running.session_api_key ?? '' },
      });
      expect(one.status).toBe(404);
    });

    it('answers nothing to anybody else', async () => {
      const other = await service.createRunning();
      expect((await ask(running.id, null)).status).toBe(401);
      expect((await ask(running.id, service.caller.key)).status).toBe(401);
      expect((await ask(running.id, other.session_api_key)).body.code).toBe('sandbox_not_found');
      expect((await ask('no-id', other.session_api_key)).body.code).toBe('sandbox_not_found');
    });
  });
});
