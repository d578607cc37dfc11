import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { digestOf, newId } from '../../../src/kernel/common';
import { createDataSource } from '../../../src/kernel/database';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { ServiceProcess } from '../../support/service/service-process';

const SESSION_KEY = 'key-of-a-sandbox';
const CONVERSATIONS = 12;
const EVENTS = 60;
/** The first replica is killed when so many calls are answered, in the middle of others. */
const KILLED_AFTER = 200;

describe('the events of agents, of whose two replicas one is killed', () => {
  let folder: string;
  let database: TestDatabase;
  let db: DataSource;
  let replicas: ServiceProcess[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'events-'));
    database = await createTestDatabase();
    db = await createDataSource(database.url, 2).initialize();
    replicas = [0, 1].map((n) =>
      ServiceProcess.start({
        DATABASE_URL: database.url,
        DATA_DIR: join(folder, `data-${n}`),
        SECRET_KEY: 'a-secret-key-of-tests-0123456789',
        SANDBOX_DRIVER: 'external',
        AGENT_SERVER_URL: 'http://127.0.0.1:9',
        AGENT_SERVER_API_KEY: 'key-of-the-agent-server',
      }),
    );
    await Promise.all(replicas.map(({ ready }) => ready));
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.discard();
    await db.destroy();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('are stored once, in their order and without holes, and what was answered is there', async () => {
    const [killed, other] = replicas;
    if (killed === undefined || other === undefined) throw new Error('There are no two replicas.');
    const urls = [await killed.ready, await other.ready];
    const orgId = (await makeOrg(db)).id;
    const { userId } = await makeCaller(db, orgId);
    const sandboxId = newId();
    await db.query(
      `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, last_activity_at, session_key_digest)
       VALUES ($1, $2, $3, 'external', 'PAUSED', now(), $4)`,
      [sandboxId, orgId, userId, digestOf(SESSION_KEY)],
    );
    const ids = Array.from({ length: CONVERSATIONS }, newId);
    await db.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state)
       SELECT id, $2, $3, $4, 'ready' FROM unnest($1::uuid[]) AS id`,
      [ids, orgId, userId, sandboxId],
    );

    let answered = 0;
    /** As an agent server does: the same event again, until it is taken. */
    const post = async (id: string, n: number): Promise<void> => {
      for (let attempt = n; ; attempt++) {
        const url = urls[attempt % 2] ?? '';
        const response = await call({ url }, 'POST', `/api/v1/webhooks/events/${id}`, {
          body: [{ id: `event-${n}`, kind: 'PauseEvent', timestamp: '2026-11-21T09:30:00' }],
          headers: { 'X-Session-API-Key': SESSION_KEY },
        }).catch(() => null);
        if (response?.status !== 200) continue;
        if (++answered === KILLED_AFTER) killed.child.kill('SIGKILL');
        return;
      }
    };
    await Promise.all(
      ids.map(async (id) => {
        for (let n = 1; n <= EVENTS; n++) await post(id, n);
      }),
    );

    const rows = await db.query<object[]>(
      `SELECT count(*)::int, min(seq)::int, max(seq)::int, bool_and(id = 'event-' || seq) AS in_order
         FROM events GROUP BY conversation_id`,
    );
    expect(rows).toEqual(Array(CONVERSATIONS).fill({ count: EVENTS, min: 1, max: EVENTS, in_order: true }));
    const sums = `SELECT (SELECT sum(bytes) FROM event_bytes) = (SELECT sum(octet_length(payload)) FROM events) AS org,
                         (SELECT sum(bytes) FROM event_logs) = (SELECT sum(octet_length(payload)) FROM events) AS logs`;
    expect(await db.query<object[]>(sums)).toEqual([{ org: true, logs: true }]);
    // The other replica goes on to number them.
    await eventually(async () =>
      expect(
        await db.query<object[]>(
          `SELECT count(*)::int, count(DISTINCT position)::int AS numbered, count(DISTINCT event ->> 'event_id' || conversation_id)::int AS events
             FROM domain_events WHERE kind = 'event.received'`,
        ),
      ).toEqual([
        { count: CONVERSATIONS * EVENTS, numbered: CONVERSATIONS * EVENTS, events: CONVERSATIONS * EVENTS },
      ]),
    );
  });
});
