import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { digestOf } from '../../../src/kernel/common';
import { createDataSource } from '../../../src/kernel/database';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { storeConversation } from '../../support/queue/conversation-rows';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { ServiceProcess } from '../../support/service/service-process';
import { StreamReader } from '../../support/streams/stream-reader';

describe('the ticket of a stream', () => {
  let database: TestDatabase;
  let db: DataSource;
  let dataDir: string;
  let service: ServiceProcess;
  let server: { readonly url: string };
  let owner: TestCaller;
  /** Paths of the two sorts of streams. */
  let paths: readonly string[];

  beforeAll(async () => {
    database = await createTestDatabase();
    db = await createDataSource(database.url, 2).initialize();
    dataDir = await mkdtemp(join(tmpdir(), 'ticket-secrecy-'));
    service = ServiceProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      WEB_UI: 'off',
      LOG_LEVEL: 'trace',
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
    });
    server = { url: new URL(await service.ready).origin };
    owner = await makeCaller(db, (await makeOrg(db)).id, 'owner');
    const { orgId: org_id, userId: created_by_user_id } = owner;
    const { id } = await storeConversation(db, { org_id, created_by_user_id });
    paths = [`/api/v1/conversation/${id}/events`, `/api/organizations/${org_id}/events`];
  });
  afterAll(async () => {
    await service.discard();
    await db.destroy();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const tickets: string[] = [];

  async function ticketFor(path: string): Promise<string> {
    const { status, body } = await call<{ ticket: string }>(server, 'POST', `${path}/stream-ticket`, {
      key: owner.key,
    });
    expect(status).toBe(200);
    tickets.push(body.ticket);
    return body.ticket;
  }

  const texts: string[] = [];

  /** Asks for something that is refused, and keeps what is answered. @returns the status */
  async function refusalOf(target: string, method = 'GET'): Promise<number> {
    const { status, body } = await call(server, method, target, { key: owner.key });
    texts.push(JSON.stringify(body));
    return status;
  }

  it('stands in no line of the log, no error and no metric, whatever becomes of the request', async () => {
    for (const path of paths) {
      const ticket = await ticketFor(path);
      const stream = await StreamReader.open(`${server.url}${path}/stream?ticket=${ticket}`);
      expect(stream.status).toBe(200);
      expect(await refusalOf(`${path}/stream?ticket=${ticket}`)).toBe(401);
      stream.close();
      const refusals: [string, number][] = [
        [`${path}/stream?ticket=${await ticketFor(path)}x`, 401],
        [`${path}/stream?ticket=${await ticketFor(path)}&after=x`, 422],
        [`${path}/stream?ticket=${await ticketFor(path)}&after=${'9'.repeat(15)}`, 400],
        [`${path}/stream?after=x&ticket=${await ticketFor(path)}%zz`, 401],
        [`${path}/nowhere?ticket=${await ticketFor(path)}`, 404],
      ];
      for (const [target, status] of refusals)
        expect([target, await refusalOf(target)]).toEqual([target, status]);
      expect(await refusalOf(`${path}/stream?ticket=${await ticketFor(path)}`, 'DELETE')).toBe(405);
      expect(await refusalOf(`${path}/stream-ticket?ticket=${await ticketFor(path)}`, 'GET')).toBe(405);
    }
    const late = await Promise.all(paths.map(ticketFor));
    await db.query('ALTER TABLE stream_tickets RENAME COLUMN digest TO hidden');
    for (const [n, path] of paths.entries()) {
      expect(await refusalOf(`${path}/stream?ticket=${late[n]}`)).toBe(500);
      expect(await refusalOf(`${path}/stream-ticket`, 'POST')).toBe(500);
    }
    await db.query('ALTER TABLE stream_tickets RENAME COLUMN hidden TO digest');

    const log = (): string => service.output + service.errors;
    await eventually(() => {
      const lines = log().split('\n');
      for (const path of paths)
        expect(lines.filter((line) => line.includes(`"path":"${path}/stream"`)).length).toBeGreaterThan(7);
      expect(lines.filter((line) => line.includes('"errorId"'))).toHaveLength(4);
    });
    const { body: metrics } = await call<string>(server, 'GET', '/metrics');
    const exposed = [log(), metrics, ...texts].join('\n');
    for (const ticket of tickets)
      for (const secret of [ticket, digestOf(ticket)]) expect(exposed).not.toContain(secret);
  });
});
