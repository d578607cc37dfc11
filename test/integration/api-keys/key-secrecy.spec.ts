import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/kernel/database';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { ServiceProcess } from '../../support/service/service-process';

describe('the log, at its most detailed,', () => {
  let database: TestDatabase;
  let db: DataSource;
  let dataDir: string;
  let service: ServiceProcess;
  let server: { readonly url: string };
  let caller: TestCaller;

  beforeAll(async () => {
    database = await createTestDatabase();
    db = await createDataSource(database.url, 2).initialize();
    dataDir = await mkdtemp(join(tmpdir(), 'key-secrecy-'));
    service = ServiceProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      WEB_UI: 'off',
      LOG_LEVEL: 'trace',
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
    });
    server = { url: new URL(await service.ready).origin };
    caller = await makeCaller(db, (await makeOrg(db)).id, 'owner');
  });
  afterAll(async () => {
    await service.discard();
    await db.destroy();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const log = (): string => service.output + service.errors;

  it('names a reported key by its id, and has nothing of its text', async () => {
    const { id, key } = await makeKey(db, caller.userId);
    const wrong = `${key}x`;
    for (const text of [wrong, key])
      expect((await call(server, 'POST', '/api/keys/report', { body: { key: text } })).status).toBe(200);
    await eventually(() =>
      expect(log()).toMatch(new RegExp(`"keyId":${id}\\b.*Somebody found a key and reported it`)),
    );
    expect(log()).not.toContain(key);
  });

  it('says from where a key was sent that does not count there', async () => {
    const { id, key } = await makeKey(db, caller.userId, { addressRanges: ['203.0.113.0/24'] });
    expect((await call(server, 'GET', '/api/keys/current', { key })).status).toBe(401);
    await eventually(() =>
      expect(log()).toMatch(new RegExp(`"keyId":${id}\\b.*"address":"127\\.0\\.0\\.1".*does not count`)),
    );
    expect(log()).not.toContain(key);
  });

  it('has nothing of a key that replaces another', async () => {
    const { id, key } = await makeKey(db, caller.userId);
    const made = await call<{ key: string }>(server, 'POST', `/api/keys/${id}/rotate`, {
      key: caller.key,
      body: { grace_seconds: 0 },
      headers: { 'Idempotency-Key': 'once' },
    });
    expect(made.status).toBe(200);
    const rows = await db.query<object[]>('SELECT * FROM idempotency_keys');
    for (const text of [log(), JSON.stringify(rows)]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(made.body.key);
    }
    expect(rows).toHaveLength(1);
  });
});
