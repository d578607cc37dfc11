import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { RetentionFixture } from '../../support/retention/retention-fixture';
import { ServiceProcess } from '../../support/service/service-process';

const CONVERSATIONS = 30;
const EVENTS = 2_000;

describe('a run of retention whose process is killed', () => {
  let folder: string;
  let database: TestDatabase;
  let fixture: RetentionFixture;
  const replicas: ServiceProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'retention-'));
    database = await createTestDatabase();
    fixture = await RetentionFixture.start({ database });
    await fixture.keep({ events_days: 30, conversations_days: 40 });
    for (let n = 0; n < CONVERSATIONS; n++) await fixture.store({ days: 60, events: EVENTS });
    await fixture.run();
    await fixture.weekLater();
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.discard();
    await fixture.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts a replica, which takes up what is to be done. */
  async function replica(): Promise<ServiceProcess> {
    const started = ServiceProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, `data-${replicas.length}`),
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
    });
    replicas.push(started);
    await started.ready;
    return started;
  }

  const left = async (): Promise<number> => {
    const [row] = await fixture.db.query<[{ count: number }]>('SELECT count(*)::int FROM events');
    return row.count;
  };

  it('has removed whole batches, and the next one goes on, counts all of it, and is one row', async () => {
    const first = await replica();
    await eventually(async () => expect(await left()).toBeLessThan(CONVERSATIONS * EVENTS), 60_000);
    first.child.kill('SIGKILL');
    await first.ended;
    const then = await left();
    expect(then).toBeGreaterThan(0);
    expect(await fixture.recorded()).toEqual([]);
    const bytes = `SELECT (SELECT sum(bytes) FROM event_bytes) = (SELECT sum(octet_length(payload)) FROM events) AS org,
                          (SELECT sum(last_seq - removed_seq)::int FROM event_logs) AS numbered`;
    expect(await fixture.db.query(bytes)).toEqual([{ org: true, numbered: then }]);

    // The claim ends by itself within a minute.
    await fixture.db.query(`UPDATE retention_runs SET claimed_until = now()`);
    await replica();
    await eventually(async () => expect(await fixture.recorded()).toHaveLength(1), 120_000);
    expect((await fixture.recorded()).map(({ changes }) => changes[0]?.after)).toEqual([
      {
        events: { items: CONVERSATIONS * EVENTS, bytes: CONVERSATIONS * EVENTS * 100 },
        conversations: { items: CONVERSATIONS, bytes: 0 },
      },
    ]);
    expect(await left()).toBe(0);
    expect(await fixture.listed()).toEqual([]);
  });
});
