import { Injectable, Module } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '../../../src/kernel/common';
import { ADVISORY_LOCKS, Notifications, type SqlRunner } from '../../../src/kernel/database';
import {
  type DomainEventOf,
  DomainEventLog,
  DomainEvents,
  type LogConsumer,
  type LoggedEvent,
} from '../../../src/kernel/domain-events';
import { POSITION_EVENTS } from '../../../src/kernel/domain-events/log/domain-event-log.query';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';

/** A consumer that notes what it takes, in a table: what is rolled back is not in it. */
@Injectable()
class Notes implements LogConsumer {
  waiting = true;
  /** How many of the next batches fail after they were noted. */
  failures = 0;
  readonly failedAt: number[] = [];
  commits = 0;
  /** What was told by replicas that only answer requests; null for each new connection. */
  readonly heard: (string | null)[] = [];

  constructor(log: DomainEventLog, notifications: Notifications) {
    log.consume(this);
    notifications.listen('domain_events_written', (payload) => this.heard.push(payload));
  }

  isWaiting(): boolean {
    return this.waiting;
  }

  async take(transaction: EntityManager, events: readonly LoggedEvent[]): Promise<void> {
    for (const { position, event } of events)
      await transaction.query('INSERT INTO notes (position, org_id) VALUES ($1, $2)', [
        position,
        event.org_id,
      ]);
    if (this.failures > 0) {
      this.failures--;
      this.failedAt.push(performance.now());
      throw new Error('planned fault');
    }
  }

  committed(): void {
    this.commits++;
  }
}

@Module({ providers: [Notes] })
class NotesModule {}

const happened = (orgId: string): DomainEventOf<'conversation.deleted'> => ({
  kind: 'conversation.deleted',
  org_id: orgId,
  conversation_id: newId(),
});

describe('the log of domain events', () => {
  let database: TestDatabase;
  let replicas: TestApp[];
  let service: TestApp;
  /** A replica that only answers requests. */
  let front: TestApp;

  beforeAll(async () => {
    database = await createTestDatabase();
    const start = (): Promise<TestApp> => startTestApp({ database, extensions: [NotesModule] });
    replicas = [await start(), await start()];
    [service] = replicas as [TestApp];
    front = await startTestApp({ database, env: { APP_ROLE: 'api' } });
    await service.db.query(
      'CREATE TABLE notes (n bigint GENERATED ALWAYS AS IDENTITY, position bigint, org_id uuid)',
    );
  });

  afterAll(async () => {
    for (const { close } of [...replicas, front]) await close();
    await database.drop();
  });

  const publish = ({ app, db }: TestApp, orgId: string): Promise<void> =>
    db.transaction((transaction) => app.get(DomainEvents).publish(transaction, happened(orgId)));

  /** The organizations of the events that were taken of these, in the order in which they were. */
  async function taken(orgIds: readonly string[]): Promise<string[]> {
    const rows = await service.db.query<{ org_id: string }[]>(
      'SELECT org_id FROM notes WHERE org_id = ANY ($1) ORDER BY n',
      [orgIds],
    );
    return rows.map(({ org_id }) => org_id);
  }

  const notes = (): Notes[] => replicas.map(({ app }) => app.get(Notes));

  it('has nothing of a change that was rolled back, and an event only after its commit', async () => {
    const [kept, dropped] = [newId(), newId()];
    await expect(
      service.db.transaction(async (transaction) => {
        await service.app.get(DomainEvents).publish(transaction, happened(dropped));
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await publish(service, kept);
    await eventually(async () => expect(await taken([kept, dropped])).toEqual([kept]));
  });

  it('gives positions in the order in which changes become visible, so that a reader misses none', async () => {
    const [early, late] = [newId(), newId()];
    await service.db.transaction(async (transaction) => {
      await service.app.get(DomainEvents).publish(transaction, happened(early));
      await publish(service, late);
      // The reader has passed the event that was written first, and is committed last.
      await eventually(async () => expect(await taken([early, late])).toEqual([late]));
    });
    await eventually(async () => expect(await taken([early, late])).toEqual([late, early]));
    const rows = await service.db.query<{ org_id: string }[]>(
      'SELECT org_id FROM domain_events WHERE org_id = ANY ($1) ORDER BY position',
      [[early, late]],
    );
    expect(rows.map(({ org_id }) => org_id)).toEqual([late, early]);
  });

  it('is read once by one replica at a time, whichever writes, while batches fail and connections break', async () => {
    const orgIds = Array.from({ length: 400 }, newId);
    for (const reader of notes()) reader.failures = 2;
    const writing = Promise.all(
      orgIds.map((orgId, n) => publish(replicas[n % replicas.length] ?? service, orgId)),
    );
    await service.db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%pg_try_advisory_xact_lock%'`,
    );
    const settled = await Promise.allSettled([writing]);
    expect(settled.every(({ status }) => status === 'fulfilled')).toBe(true);
    await eventually(async () => expect((await taken(orgIds)).length).toBe(orgIds.length));
    expect(new Set(await taken(orgIds)).size).toBe(orgIds.length);
    const [{ ordered }] = await service.db.query<[{ ordered: boolean }]>(
      `SELECT bool_and(position > before) AS ordered
         FROM (SELECT position, lag(position, 1, 0) OVER (ORDER BY n) AS before FROM notes) noted`,
    );
    expect(ordered).toBe(true);
    expect(notes().reduce((sum, { commits }) => sum + commits, 0)).toBeGreaterThan(0);
  });

  it('waits longer after each failure of a consumer, however much is written', async () => {
    for (const reader of notes()) {
      reader.failures = 4;
      reader.failedAt.length = 0;
    }
    const orgIds: string[] = [];
    const late = newId();
    await publish(service, late);
    await eventually(async () => {
      orgIds.push(newId());
      await publish(service, orgIds.at(-1) ?? late);
      expect(await taken([late])).toEqual([late]);
    });
    // One of the two has failed four times, and then not.
    const [pauses = []] = notes()
      .map(({ failedAt }) => failedAt.slice(1).map((at, n) => at - (failedAt[n] ?? at)))
      .filter(({ length }) => length === 3);
    // Timers count whole milliseconds.
    [250, 500, 1_000].forEach((least, n) => expect(pauses[n]).toBeGreaterThan(least - 5));
    for (const reader of notes()) reader.failures = 0;
    await eventually(async () => expect((await taken(orgIds)).length).toBe(orgIds.length));
  });

  it('is read while nobody waits, too', async () => {
    for (const reader of notes()) reader.waiting = false;
    const orgId = newId();
    await publish(service, orgId);
    await eventually(async () => expect(await taken([orgId])).toEqual([orgId]));
    for (const reader of notes()) reader.waiting = true;
  });

  it('is told of by replicas that only answer requests, also when the connection for that breaks', async () => {
    const told = (): number[] => notes().map(({ heard }) => heard.filter((payload) => payload === '').length);
    const connected = (): number[] =>
      notes().map(({ heard }) => heard.filter((payload) => payload === null).length);
    const isTold = async (): Promise<void> => {
      const before = told();
      const orgId = newId();
      await publish(front, orgId);
      await eventually(() => told().forEach((count, n) => expect(count).toBeGreaterThan(before[n] ?? 0)));
      await eventually(async () => expect(await taken([orgId])).toEqual([orgId]));
    };
    await isTold();
    const connections = connected();
    await service.db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'org-conversation-service notifications'`,
    );
    await eventually(() =>
      connected().forEach((count, n) => expect(count).toBeGreaterThan(connections[n] ?? 0)),
    );
    await isTold();
  });

  it('is told of at once where a listener after the commit waits for it', async () => {
    const isUrgent = ({ heard }: Notes): boolean => heard.includes('urgent');
    expect(notes().some(isUrgent)).toBe(false);
    const removed = { kind: 'member.removed' as const, org_id: newId(), user_id: newId() };
    await front.db.transaction((transaction) => front.app.get(DomainEvents).publish(transaction, removed));
    await eventually(() => expect(notes().every(isUrgent)).toBe(true));
  });

  it('has no event that belongs to no organization and that nobody listens to after the commit', async () => {
    const fields = [newId()];
    await service.db.transaction((transaction) =>
      service.app
        .get(DomainEvents)
        .publish(transaction, { kind: 'settings.updated', org_id: null, user_id: newId(), fields }),
    );
    const rows = await service.db.query<object[]>(
      `SELECT 1 FROM domain_events WHERE event ->> 'kind' = 'settings.updated' AND event -> 'fields' ->> 0 = $1`,
      fields,
    );
    expect(rows).toEqual([]);
  });

  it('passes over an event of a later release', async () => {
    const orgId = newId();
    await service.db.query(
      `INSERT INTO domain_events (org_id, kind, event) VALUES ($1, 'moon.landed', '{"kind":"moon.landed"}')`,
      [newId()],
    );
    await publish(service, orgId);
    await eventually(async () => expect(await taken([orgId])).toEqual([orgId]));
  });

  describe('with a backlog', () => {
    const backlog = (orgIds: readonly string[], each: number): Promise<unknown> =>
      service.db.query(
        `INSERT INTO domain_events (org_id, kind, event)
         SELECT org_id, 'conversation.deleted', json_build_object('kind', 'conversation.deleted', 'org_id', org_id,
           'conversation_id', gen_random_uuid())
           FROM generate_series(1, $2) n, unnest($1::uuid[]) AS o (org_id)`,
        [orgIds, each],
      );
    const waiting = async (orgIds: readonly string[]): Promise<number> => {
      const [{ count }] = await service.db.query<[{ count: number }]>(
        'SELECT count(*)::int AS count FROM domain_events WHERE position IS NULL AND org_id = ANY ($1)',
        [orgIds],
      );
      return count;
    };

    it('of one organization goes on with the others, and keeps the order of each', async () => {
      const [big, small] = [newId(), newId()];
      await service.db.transaction(async (transaction) => {
        // Nobody has a turn before all are there.
        await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.positions]);
        await backlog([big], 20_000);
        for (let n = 0; n < 3; n++) await publish(service, small);
      });
      await eventually(async () => expect(await taken([small])).toHaveLength(3));
      const before = await service.db.query<{ org_id: string }[]>(
        `SELECT org_id FROM domain_events
          WHERE position < (SELECT max(position) FROM domain_events WHERE org_id = $1) AND org_id = $2`,
        [small, big],
      );
      expect(before.length).toBeLessThanOrEqual(500);
      await eventually(async () => expect(await waiting([big])).toBe(0), 120_000);
      const [{ ordered }] = await service.db.query<[{ ordered: boolean }]>(
        `SELECT bool_and(position > before) AS ordered
           FROM (SELECT position, lag(position, 1, 0::bigint) OVER (ORDER BY id) AS before
                   FROM domain_events WHERE org_id = $1) numbered`,
        [big],
      );
      expect(ordered).toBe(true);
    });

    it('of more organizations than a batch has room for gives each of them its turn', async () => {
      const orgIds = Array.from({ length: 1_100 }, newId);
      await service.db.transaction(async (transaction) => {
        await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.positions]);
        await backlog(orgIds, 8);
      });
      await eventually(async () => expect(await waiting(orgIds)).toBe(0), 120_000);
      // Wherever in their order it began, each has had its first turn after four batches of either replica.
      const [{ positioned }] = await service.db.query<[{ positioned: number }]>(
        `WITH turns AS (
           SELECT position, row_number() OVER (PARTITION BY org_id ORDER BY position) AS turn
             FROM domain_events WHERE org_id = ANY ($1))
         SELECT count(*)::int AS positioned FROM turns
          WHERE position <= (SELECT max(position) FROM turns WHERE turn = 1)`,
        [orgIds],
      );
      expect(positioned).toBeLessThanOrEqual(2 * 4 * 500);
    });

    it('that another replica is at is told from one that has nothing behind an organization', async () => {
      const batch = (database: SqlRunner): Promise<unknown[]> =>
        POSITION_EVENTS.rows(database, [
          ADVISORY_LOCKS.positions,
          500,
          'ffffffff-ffff-4fff-bfff-ffffffffffff',
        ]);
      await service.db.transaction(async (transaction) => {
        await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.positions]);
        expect(await batch(service.db)).toMatchObject([{ position: null, locked: false }]);
        expect(await batch(transaction)).toMatchObject([{ position: null, locked: true }]);
      });
    });

    it('of one organization costs a batch no more than its rows', async () => {
      await service.db.transaction(async (transaction) => {
        await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.positions]);
        // So many may take longer than the service's own statements may.
        await transaction.query('SET LOCAL statement_timeout = 0');
        await transaction.query(
          `INSERT INTO domain_events (org_id, kind, event)
           SELECT o.id, 'moon.landed', '{}' FROM generate_series(1, 100000), (SELECT gen_random_uuid() AS id) o`,
        );
        const read = async (): Promise<number> => {
          const [{ count }] = await transaction.query<[{ count: number }]>(
            `SELECT (seq_tup_read + idx_tup_fetch)::int AS count FROM pg_stat_xact_user_tables
              WHERE relname = 'domain_events'`,
          );
          return count;
        };
        const position = async (): Promise<void> => {
          const before = await read();
          const batch = await POSITION_EVENTS.rows(transaction, [
            ADVISORY_LOCKS.positions,
            500,
            '00000000-0000-0000-0000-000000000000',
          ]);
          expect(batch).toHaveLength(500);
          // Each is read to be found, and to be written.
          expect((await read()) - before).toBeLessThan(1_500);
        };
        // The planner knows nothing of them at first.
        await position();
        await transaction.query('ANALYZE domain_events');
        await position();
        await transaction.query(`DELETE FROM domain_events WHERE kind = 'moon.landed'`);
      });
    });
  });

  it('keeps events for seven days', async () => {
    const [old, young] = [newId(), newId()];
    await publish(service, old);
    await publish(service, young);
    await eventually(async () => expect((await taken([old, young])).length).toBe(2));
    // The clean-up begins with the oldest.
    await service.db.query(
      `UPDATE domain_events SET created_at = now() - interval '8 days'
        WHERE id <= (SELECT id FROM domain_events WHERE org_id = $1)`,
      [old],
    );
    await service.db.query(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = 'every:domain-events-clean-up'`,
    );
    const left = async (): Promise<string[]> => {
      const rows = await service.db.query<{ org_id: string }[]>(
        'SELECT org_id FROM domain_events WHERE org_id = ANY ($1)',
        [[old, young]],
      );
      return rows.map(({ org_id }) => org_id);
    };
    await eventually(async () => expect(await left()).toEqual([young]));
  });
});
