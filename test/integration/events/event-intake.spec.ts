import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { newId } from '../../../src/kernel/common';
import type { SandboxCaller } from '../../../src/kernel/auth';
import { EventIntake } from '../../../src/conversations/events/inbound/event-intake';
import { InboundService } from '../../../src/conversations/events/inbound/inbound.service';
import { TransientEvents } from '../../../src/conversations/events';
import { statementsOf } from '../../support/database/statements-of';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';

/** An event as an agent server writes it. */
const event = (id: string, fields: object = {}): object => ({
  id,
  kind: 'PauseEvent',
  timestamp: '2026-11-21T09:30:00',
  ...fields,
});

describe('the events of agents', () => {
  let database: TestDatabase;
  let replicas: TestApp[];
  let db: DataSource;
  let sandbox: SandboxCaller & { readonly sandboxId: string };

  beforeAll(async () => {
    database = await createTestDatabase();
    // Nothing but the calls asks the database.
    replicas = await Promise.all([0, 1].map(() => startTestApp({ database, env: { APP_ROLE: 'api' } })));
    const [first] = replicas;
    if (first === undefined) throw new Error('There is no replica.');
    db = first.db;
    const orgId = (await makeOrg(db)).id;
    sandbox = { sandboxId: newId(), orgId, createdByUserId: (await makeCaller(db, orgId)).userId };
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.close();
    await database.drop();
  });

  async function conversation(fields: { sandboxId?: string; startState?: string } = {}): Promise<string> {
    const id = newId();
    await db.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state) VALUES ($1, $2, $3, $4, $5)`,
      [
        id,
        sandbox.orgId,
        sandbox.createdByUserId,
        fields.sandboxId ?? sandbox.sandboxId,
        fields.startState ?? 'ready',
      ],
    );
    return id;
  }

  /** One that has an event. */
  async function begun(): Promise<string> {
    const id = await conversation();
    await take(id, [event('first')]);
    return id;
  }

  function take(id: string, events: readonly object[], replica = 0): Promise<void> {
    const service = replicas[replica]?.app.get(InboundService);
    if (service === undefined) throw new Error('There is no such replica.');
    return service.takeEvents(sandbox, id, JSON.stringify(events));
  }

  /** All that is stored of a conversation, but for its id and when it was. */
  async function storedOf(id: string): Promise<unknown> {
    const [found] = await db.query<[{ stored: unknown }]>(
      `SELECT json_build_object(
         'events', (SELECT json_agg(json_build_array(id, seq, kind, occurred_at, payload) ORDER BY seq)
                      FROM events WHERE conversation_id = $1),
         'log', (SELECT json_build_array(last_seq, bytes, org_id) FROM event_logs WHERE conversation_id = $1),
         'record', (SELECT to_jsonb(c) - ARRAY['id', 'created_at', 'updated_at'] FROM conversations c WHERE id = $1),
         'has_moved', (SELECT updated_at > created_at FROM conversations WHERE id = $1),
         'jobs', (SELECT count(*) FROM graphile_worker.jobs WHERE key = 'refresh:' || $1::text),
         'logged', (SELECT json_agg(json_build_array(kind, event::jsonb - 'conversation_id') ORDER BY id)
                      FROM domain_events WHERE conversation_id = $1)) AS stored`,
      [id],
    );
    return found.stored;
  }

  async function seqs(id: string): Promise<string[]> {
    const rows = await db.query<{ line: string }[]>(
      `SELECT seq || ' ' || id AS line FROM events WHERE conversation_id = $1 ORDER BY seq`,
      [id],
    );
    return rows.map(({ line }) => line);
  }

  async function agreeing(): Promise<object> {
    const [sums] = await db.query<[object]>(
      `SELECT (SELECT sum(bytes) FROM event_bytes)::int = (SELECT sum(octet_length(payload)) FROM events)::int AS org,
              (SELECT sum(bytes) FROM event_logs)::int = (SELECT sum(octet_length(payload)) FROM events)::int AS logs,
              (SELECT count(*) FROM domain_events WHERE kind = 'event.received') = (SELECT count(*) FROM events) AS logged`,
    );
    return sums;
  }

  it('are stored by one statement, a report with them, and those of calls at once by fewer', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, begun));
    const [id = ''] = ids;
    expect(await statementsOf(() => take(id, [event('a'), event('b')]))).toBe(1);
    const title = { kind: 'ConversationStateUpdateEvent', key: 'title', value: 'Told' };
    expect(await statementsOf(() => take(id, [event('c', title)]))).toBe(1);
    expect(await statementsOf(() => Promise.all(ids.map((each) => take(each, [event('d')]))))).toBe(2);
    expect(await seqs(id)).toEqual(['1 first', '2 a', '3 b', '4 c', '5 d']);
  });

  it('are stored once and without holes, whichever replica gets the same ones at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, begun));
    const calls = ids.flatMap((id) =>
      Array.from(
        { length: 10 },
        (_, n) => [id, [event(`${n}`), event(`${n + 1}`), event(`${n + 2}`)]] as const,
      ),
    );
    await Promise.all([0, 1].flatMap((replica) => calls.map(([id, events]) => take(id, events, replica))));
    for (const id of ids) {
      const rows = await seqs(id);
      expect(rows.map((row) => Number(row.split(' ')[0]))).toEqual(
        Array.from({ length: 13 }, (_, n) => n + 1),
      );
      expect(new Set(rows.map((row) => row.split(' ')[1])).size).toBe(13);
    }
    expect(await agreeing()).toEqual({ org: true, logs: true, logged: true });
  });

  it('of one call are stored whatever another conversation waits for', async () => {
    const [held, free] = [await begun(), await begun()];
    const runner = db.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT FROM event_logs WHERE conversation_id = $1 FOR UPDATE', [held]);
    try {
      const order: string[] = [];
      // The first one goes alone, the others together.
      const calls = [held, free, held, free].map((id, n) =>
        take(id, [event(`late-${n}`)]).then(() => order.push(id)),
      );
      await eventually(() => expect(order).toEqual([free, free]));
      await runner.rollbackTransaction();
      await Promise.all(calls);
      expect((await seqs(held)).map((row) => row.split(' ')[1]).sort()).toEqual([
        'first',
        'late-0',
        'late-2',
      ]);
    } finally {
      await runner.release();
    }
  });

  it('of one call are stored whatever is wrong with another', async () => {
    const [broken, fine] = [await begun(), await begun()];
    await db.query(`ALTER TABLE events ADD CONSTRAINT no_odd_kind CHECK (kind <> 'OddEvent')`);
    try {
      const results = await Promise.allSettled([
        take(fine, [event('before')]),
        take(broken, [event('odd', { kind: 'OddEvent' })]),
        take(fine, [event('after')]),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    } finally {
      await db.query('ALTER TABLE events DROP CONSTRAINT no_odd_kind');
    }
    expect((await seqs(fine)).map((row) => row.split(' ')[1]).sort()).toEqual(['after', 'before', 'first']);
    expect(await seqs(broken)).toEqual(['1 first']);
  });

  it('are refused from a sandbox that the conversation is not in, and after its end: what is passed on, too', async () => {
    const heard: string[] = [];
    for (const { app } of replicas) app.get(TransientEvents).onArrival((id) => heard.push(id));
    const foreign = [
      await conversation({ sandboxId: newId() }),
      await conversation({ startState: 'failed' }),
    ];
    const own = await begun();
    const deleted = await begun();
    await db.query('UPDATE conversations SET deleted_at = now() WHERE id = $1', [deleted]);
    const delta = event('delta', { kind: 'StreamingDeltaEvent' });
    for (const id of [...foreign, deleted])
      for (const events of [[event('e')], [delta], [event('e'), delta]])
        await expect(take(id, events)).rejects.toMatchObject({ code: 'conversation_not_found' });
    await take(own, [delta]);
    await take(own, [event('e'), delta]);
    expect(heard).toEqual([own, own]);
    expect(await seqs(deleted)).toEqual(['1 first']);
  });

  it('go with their conversation, and their bytes', async () => {
    const id = await begun();
    await db.query('DELETE FROM conversations WHERE id = $1', [id]);
    expect(await seqs(id)).toEqual([]);
    await db.query(`DELETE FROM domain_events WHERE conversation_id = $1`, [id]);
    expect(await agreeing()).toEqual({ org: true, logs: true, logged: true });
  });

  it('have moved updated_at when the replica that took them has stopped', async () => {
    const id = await begun();
    const updatedAt = async (): Promise<Date> => {
      const [row] = await db.query<[{ updated_at: Date }]>(
        'SELECT updated_at FROM conversations WHERE id = $1',
        [id],
      );
      return row.updated_at;
    };
    const before = new Date('2026-01-02T03:04:05.678Z');
    const stopping = await startTestApp({ database, env: { APP_ROLE: 'api' } });
    // What the first event moves is moved by then, also within the millisecond of the beginning.
    await db.query(`UPDATE conversations SET created_at = created_at - interval '1 minute' WHERE id = $1`, [
      id,
    ]);
    await eventually(async () => expect((await storedOf(id)) as object).toMatchObject({ has_moved: true }));
    await db.query('UPDATE conversations SET updated_at = $2 WHERE id = $1', [id, before]);
    await stopping.app.get(InboundService).takeEvents(sandbox, id, JSON.stringify([event('last')]));
    await stopping.close();
    expect((await updatedAt()) > before).toBe(true);
  });

  const state = (key: string, value: unknown): object => ({
    kind: 'ConversationStateUpdateEvent',
    key,
    value,
  });
  const anEvent = fc
    .tuple(
      fc.integer({ min: 0, max: 12 }).map(String),
      fc.oneof(
        fc.constant({}),
        fc.string().map((text) => ({ text })),
        fc.constantFrom('StreamingDeltaEvent', 'OddEvent', 7, null).map((kind) => ({ kind })),
        fc
          .constantFrom('running', 'idle', 'finished', 'odd')
          .map((status) => state('execution_status', status)),
        fc.constantFrom('One', 'Two', '').map((title) => state('title', title)),
        fc
          .float({ min: 0, max: 10, noNaN: true })
          .map((accumulated_cost) => state('stats', { usage_to_metrics: { agent: { accumulated_cost } } })),
      ),
    )
    .map(([id, fields]) => event(id, fields));

  it('leave the same rows, whether a call is taken at once or in steps', async () => {
    const intake = replicas[0]?.app.get(EventIntake);
    if (intake === undefined) throw new Error('There is no replica.');
    const calls = fc.array(fc.array(anEvent, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(calls, async (batches) => {
        const [atOnce, inSteps] = [await conversation(), await conversation()];
        for (const batch of batches) await take(atOnce, batch);
        const spies = (['take', 'takeIn'] as const).map((method) =>
          jest.spyOn(intake, method).mockResolvedValue(null),
        );
        for (const batch of batches) await take(inSteps, batch);
        for (const spy of spies) spy.mockRestore();
        const expected = await storedOf(inSteps);
        await eventually(async () => expect(await storedOf(atOnce)).toEqual(expected));
      }),
      { numRuns: 40 },
    );
  });
});
