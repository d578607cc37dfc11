import * as fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { storeConversation } from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { startTcpProxy } from '../../support/service/tcp-proxy';
import { agentEvent, storeEvents } from '../../support/streams/stored-events';
import { StreamReader } from '../../support/streams/stream-reader';
import { rounds } from '../../support/rounds';

const RUNS = rounds(12, 4);

/** What happens while a client reads, connecting again after each break. */
type Happening =
  | { readonly do: 'store'; readonly replica: number; readonly count: number }
  | { readonly do: 'break'; readonly replica: number }
  | { readonly do: 'breakLater'; readonly replica: number; readonly afterMs: number }
  | { readonly do: 'silence' };

const replica = fc.nat({ max: 1 });
const happenings = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('store'), replica, count: fc.integer({ min: 1, max: 30 }) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('break'), replica }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('breakLater'), replica, afterMs: fc.nat({ max: 30 }) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('silence') }) },
  ),
  { minLength: 4, maxLength: 16 },
) as fc.Arbitrary<Happening[]>;

describe('a client that connects again after each break', () => {
  let database: TestDatabase;
  let replicas: [TestApp, TestApp];
  let owner: TestCaller;

  beforeAll(async () => {
    database = await createTestDatabase();
    replicas = [await startTestApp({ database }), await startTestApp({ database, env: { APP_ROLE: 'api' } })];
    owner = await makeCaller(replicas[0].db, (await makeOrg(replicas[0].db)).id, 'owner');
  });

  afterAll(async () => {
    for (const { close } of replicas) await close();
    await database.drop();
  });

  const replicaOf = (n: number): TestApp => replicas[n === 1 ? 1 : 0];

  /** Breaks the connections on which replicas hear notifications. */
  const silence = (): Promise<unknown> =>
    replicas[0].db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE '%notifications'`,
    );

  it(`gets every event once, in order, whatever breaks (${RUNS} random runs)`, async () => {
    await fc.assert(
      fc.asyncProperty(happenings, fc.boolean(), async (happened, fromStart) => {
        const { orgId: org_id, userId: created_by_user_id } = owner;
        const { id } = await storeConversation(replicas[0].db, { org_id, created_by_user_id });
        const got: number[] = [];
        let position = fromStart ? '0' : null;
        let reader: StreamReader | undefined;
        const leave = (): void => {
          got.push(...(reader?.of('message').map((event) => Number(event.id)) ?? []));
          position = reader?.lastId ?? position;
          reader?.close();
        };
        const connect = async (n: number): Promise<void> => {
          leave();
          reader = await StreamReader.open(`${replicaOf(n).url}/api/v1/conversation/${id}/events/stream`, {
            key: owner.key,
            ...(position !== null && { headers: { 'Last-Event-ID': position } }),
          });
          expect(reader.status).toBe(200);
          if (position === null) await eventually(() => expect(reader?.lastId).not.toBeNull());
        };
        await connect(0);
        let stored = 0;
        const storing: Promise<void>[] = [];
        for (const one of happened) {
          if (one.do === 'store') {
            const events = Array.from({ length: one.count }, () => agentEvent());
            storing.push(storeEvents(replicaOf(one.replica), id, events));
            stored += one.count;
          } else if (one.do === 'silence') await silence();
          else {
            if (one.do === 'breakLater') await new Promise((resolve) => setTimeout(resolve, one.afterMs));
            await connect(one.replica);
          }
        }
        await Promise.all(storing);
        await eventually(() => {
          const now = got.length + (reader?.of('message').length ?? 0);
          if (now < stored) throw new Error(`${now} of ${stored} events came.`);
        });
        leave();
        expect(got).toEqual(Array.from({ length: stored }, (_, n) => n + 1));
      }),
      { numRuns: RUNS },
    );
  });

  it('gets every event while the connection that hears of them, at DATABASE_DIRECT_URL, is away', async () => {
    const proxy = await startTcpProxy(database.url);
    const listening = async (): Promise<number> => {
      const found = await replicas[0].db.query<unknown[]>(
        `SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND application_name LIKE '%notifications'`,
      );
      return found.length;
    };
    const before = await eventually(async () => {
      const count = await listening();
      expect(count).toBe(replicas.length);
      return count;
    });
    const env = { DATABASE_DIRECT_URL: proxy.url };
    const pooled = await startTestApp({ database, env });
    try {
      const { orgId: org_id, userId: created_by_user_id } = owner;
      const { id } = await storeConversation(pooled.db, { org_id, created_by_user_id });
      const url = `${pooled.url}/api/v1/conversation/${id}/events/stream`;
      const reader = await StreamReader.open(url, { key: owner.key });
      await eventually(async () => expect([reader.lastId, await listening()]).toEqual(['0', before + 1]));
      await proxy.cut();
      await eventually(async () => expect(await listening()).toBe(before));
      await storeEvents(replicas[1], id, [agentEvent(), agentEvent()]);
      await reader.until(2);
      await proxy.restore();
      await eventually(async () => expect(await listening()).toBe(before + 1));
      await storeEvents(replicas[1], id, [agentEvent()]);
      await reader.until(3);
      expect(reader.of('message').map((event) => event.id)).toEqual(['1', '2', '3']);
      reader.close();
    } finally {
      await pooled.close();
      await proxy.cut();
    }
  });

  it('keeps its stream while the database is away, and misses nothing', async () => {
    const proxy = await startTcpProxy(database.url);
    const cutOff = await startTestApp({ database: { ...database, url: proxy.url } });
    try {
      const { orgId: org_id, userId: created_by_user_id } = owner;
      const { id } = await storeConversation(replicas[0].db, { org_id, created_by_user_id });
      const url = `${cutOff.url}/api/v1/conversation/${id}/events/stream`;
      const reader = await StreamReader.open(url, { key: owner.key });
      // Once it has one, it has read everything.
      await storeEvents(replicas[0], id, [agentEvent()]);
      await reader.until(1);
      await proxy.cut();
      await storeEvents(replicas[0], id, [agentEvent()]);
      await eventually(async () => expect((await call(cutOff, 'GET', '/ready')).status).toBe(503));
      await proxy.restore();
      await storeEvents(replicas[1], id, [agentEvent()]);
      await reader.until(3);
      expect(reader.events.map((event) => [event.type, event.id])).toEqual([
        ['message', '1'],
        ['message', '2'],
        ['message', '3'],
      ]);
      reader.close();
    } finally {
      await cutOff.close();
      await proxy.cut();
    }
  });

  it('gets events by polling where nobody tells of them', async () => {
    const { orgId: org_id, userId: created_by_user_id } = owner;
    const { id } = await storeConversation(replicas[0].db, { org_id, created_by_user_id });
    const [{ url }] = replicas;
    const reader = await StreamReader.open(`${url}/api/v1/conversation/${id}/events/stream`, {
      key: owner.key,
    });
    await eventually(() => expect(reader.lastId).toBe('0'));
    // Without a domain event nobody is woken.
    await replicas[0].db.query('ALTER TABLE events DISABLE TRIGGER events_logged');
    await storeEvents(replicas[1], id, [agentEvent()]);
    await replicas[0].db.query('ALTER TABLE events ENABLE TRIGGER events_logged');
    await reader.until(1);
    reader.close();
  });
});
