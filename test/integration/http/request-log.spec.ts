import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { createDataSource } from '../../../src/kernel/database';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type CallOptions } from '../../support/service/http';
import { ServiceProcess } from '../../support/service/service-process';

const INFO = 30;
const ADDRESS = '203.0.113.9';

const lineSchema = z.looseObject({
  level: z.number(),
  requestId: z.string(),
  address: z.string(),
  req: z.object({ method: z.string(), path: z.string() }),
  res: z.object({ status: z.number() }),
});

describe('the log line of a request', () => {
  let database: TestDatabase;
  let db: DataSource;
  let dataDir: string;
  let service: ServiceProcess;
  let url: string;
  let caller: TestCaller;

  beforeAll(async () => {
    database = await createTestDatabase();
    db = await createDataSource(database.url, 2).initialize();
    dataDir = await mkdtemp(join(tmpdir(), 'request-log-'));
    service = ServiceProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SECRET_KEY: 'a secret that only this test knows, 0123456789',
      TRUSTED_HOPS: '1',
      READ_CALLS_PER_MINUTE: '2',
    });
    url = new URL(await service.ready).origin;
    caller = await makeCaller(db, (await makeOrg(db)).id, 'member');
  });
  afterAll(async () => {
    await service.discard();
    await db.destroy();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Makes a call. @returns its line in the log, and the status of its response */
  async function lineOf(method: string, path: string, options: CallOptions = {}) {
    const headers = { ...options.headers, 'X-Forwarded-For': ADDRESS };
    const { status, headers: answered } = await call({ url }, method, path, { ...options, headers });
    const line = await eventually(() => {
      const text = service.output
        .split('\n')
        .find((each) => each.includes(String(answered['x-request-id'])) && each.includes('"req"'));
      return lineSchema.parse(JSON.parse(text ?? 'null'));
    });
    expect(line).toMatchObject({ address: ADDRESS, req: { method }, res: { status } });
    expect(line.level).toBeGreaterThanOrEqual(INFO);
    return { line, status };
  }

  const ids = () => ({ user: caller.userId, keyId: caller.keyId, organization: caller.orgId });

  it('names user, organization, key and address, for what changes something', async () => {
    const { key } = caller;
    const { line, status } = await lineOf('POST', '/api/keys', { key, body: { name: 'quiet words' } });
    expect([status, line]).toEqual([200, expect.objectContaining(ids())]);
  });

  it('names them where a permission is missing, with the organization that was asked for', async () => {
    const { key } = caller;
    const other = await makeOrg(db);
    const denied = await lineOf('PATCH', `/api/organizations/${caller.orgId}`, { key, body: { name: 'x' } });
    expect([denied.status, denied.line]).toEqual([403, expect.objectContaining(ids())]);
    const options = { key, headers: { 'X-Org-Id': other.id } };
    const foreign = await lineOf('POST', '/api/organizations/app', { ...options, body: {} });
    expect([foreign.status, foreign.line.organization]).toEqual([403, other.id]);
  });

  it('names them beyond a limit', async () => {
    const path = '/api/keys/current?secret=in-the-query';
    for (let time = 0; time < 2; time++) await call({ url }, 'GET', path, { key: caller.key });
    const { line, status } = await lineOf('GET', path, { key: caller.key });
    expect([status, line]).toEqual([429, expect.objectContaining({ user: caller.userId })]);
    expect(line.req.path).toBe('/api/keys/current');
  });

  it('has the address of a key that does not work, and no other word of it', async () => {
    const key = newKey();
    const { line, status } = await lineOf('GET', '/api/keys', { key });
    expect(status).toBe(401);
    expect(line).not.toHaveProperty('user');
    expect(service.output).not.toContain(key);
  });

  it('has no key, query or body', () => {
    for (const secret of [caller.key, 'in-the-query', 'quiet words'])
      expect(service.output + service.errors).not.toContain(secret);
  });
});
