import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { TransientEvents } from '../../../src/conversations/events';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { storeConversation } from '../../support/queue/conversation-rows';
import { ConversationService } from '../../support/service/conversation-service';
import { startTestApp, type TestApp } from '../../support/service/app';
import { call } from '../../support/service/http';
import type { SandboxRecord } from '../../support/agent-server/sandboxes';
import { StreamReader } from '../../support/streams/stream-reader';

/** What is written until all streams hear it. */
const MARK = 'Is anybody there?';

describe('what an agent writes while it writes it (StreamingDeltaEvent)', () => {
  let database: TestDatabase;
  let service: ConversationService;
  /** Another replica. */
  let front: TestApp;
  let sandboxKey: string;
  let conversationId: string;
  let streams: StreamReader[];

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await ConversationService.start({}, undefined, { database });
    front = await startTestApp({ database, env: { APP_ROLE: 'api' } });
    const made = await service.call<SandboxRecord>('POST', '/api/v1/sandboxes');
    const sandbox = await eventually(async () => {
      const { body } = await service.call<SandboxRecord[]>('GET', `/api/v1/sandboxes?id=${made.body.id}`);
      if (body[0]?.status !== 'RUNNING') throw new Error(`The sandbox is ${body[0]?.status}.`);
      return body[0];
    });
    sandboxKey = sandbox.session_api_key ?? '';
    const { id } = await storeConversation(service.app.db, {
      org_id: service.owner.orgId,
      created_by_user_id: service.owner.userId,
      sandbox_id: sandbox.id,
    });
    conversationId = id;
  });

  afterAll(async () => {
    await front.close();
    await service.close();
    await database.drop();
  });

  beforeEach(async () => {
    streams = await Promise.all(
      [service.app, front].map(({ url }) =>
        StreamReader.open(`${url}/api/v1/conversation/${conversationId}/events/stream`, {
          key: service.owner.key,
        }),
      ),
    );
    // They have to follow, and the other replica to be known to have readers: what is told before is gone.
    await eventually(async () => {
      await tell(delta(MARK));
      for (const stream of streams) expect(contentsOf(stream.messages)).toContain(MARK);
    });
  });

  afterEach(() => {
    for (const stream of streams) stream.close();
  });

  const tell = async (...events: unknown[]): Promise<void> => {
    const { status } = await call(service.app, 'POST', `/api/v1/webhooks/events/${conversationId}`, {
      body: events,
      headers: { 'X-Session-API-Key': sandboxKey },
    });
    expect(status).toBe(200);
  };

  const delta = (content: string): Record<string, unknown> => ({
    id: randomUUID(),
    kind: 'StreamingDeltaEvent',
    source: 'agent',
    timestamp: '2026-01-02T03:04:05',
    content,
  });

  const contentsOf = (events: readonly Record<string, unknown>[]): unknown[] =>
    events.map(({ content }) => content);

  const heardBy = (stream: StreamReader | undefined): Record<string, unknown>[] =>
    stream?.messages.filter(({ content }) => content !== MARK) ?? [];

  const pause = (): Record<string, unknown> => ({
    id: randomUUID(),
    kind: 'PauseEvent',
    source: 'user',
    timestamp: '2026-01-02T03:04:05',
  });

  it('passes to the streams of all replicas without an id, and is neither stored nor numbered', async () => {
    const words = ['All ', 'tests\n', 'pass.'].map(delta);
    for (const word of words) await tell(word);
    const last = pause();
    await tell(delta('x'.repeat(10)), last);
    for (const stream of streams) {
      await eventually(() => {
        expect(heardBy(stream)).toContainEqual(last);
        expect(contentsOf(heardBy(stream))).toContain('x'.repeat(10));
      });
      const deltas = heardBy(stream).filter(({ kind }) => kind === 'StreamingDeltaEvent');
      expect(contentsOf(deltas)).toEqual(['All ', 'tests\n', 'pass.', 'x'.repeat(10)]);
      expect(
        stream
          .of('message')
          .filter(({ id }) => id !== null)
          .map(({ id }) => id),
      ).toEqual(['1']);
      expect(stream.lastId).toBe('1');
    }
    const rows = await service.app.db.query<unknown[]>(
      `SELECT 'event' FROM events WHERE kind = 'StreamingDeltaEvent'
       UNION ALL SELECT 'logged' FROM domain_events WHERE event ->> 'event_kind' = 'StreamingDeltaEvent'`,
    );
    expect(rows).toEqual([]);
    const [log] = await service.app.db.query<{ last_seq: string }[]>(
      'SELECT last_seq FROM event_logs WHERE conversation_id = $1',
      [conversationId],
    );
    expect(log?.last_seq).toBe('1');
  });

  it('comes before what is stored of the same call, on the replica that was told', async () => {
    const lock = new Client({ connectionString: database.url });
    await lock.connect();
    try {
      await lock.query(
        `CREATE FUNCTION wait_to_commit() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END $$;
         CREATE CONSTRAINT TRIGGER wait_to_commit AFTER INSERT ON events
           DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_to_commit();
         SELECT pg_advisory_lock(1)`,
      );
      const [stream] = streams;
      const [stored, content] = [pause(), randomUUID()];
      const told = tell(stored, delta(content));
      await eventually(() => expect(contentsOf(heardBy(stream))).toEqual([content]));
      await lock.query('SELECT pg_advisory_unlock(1)');
      await told;
      await eventually(() => expect(heardBy(stream).at(-1)).toEqual(stored));
    } finally {
      await lock.query('DROP FUNCTION wait_to_commit CASCADE').catch(() => undefined);
      await lock.end();
    }
  });

  it('reaches other replicas only where a notification can carry it', async () => {
    const texts = (stream: StreamReader): unknown[] => contentsOf(heardBy(stream));
    const long = 'é'.repeat(4_000);
    await tell(delta('x'.repeat(7_500)), delta(long), delta('last'));
    for (const stream of streams) await eventually(() => expect(texts(stream).at(-1)).toBe('last'));
    expect(streams.map((stream) => texts(stream).includes(long))).toEqual([true, false]);
    for (const stream of streams) expect(texts(stream)).toContain('x'.repeat(7_500));
  });

  it('is left to who wants other kinds only', async () => {
    const [{ url }] = [service.app];
    const stream = await StreamReader.open(
      `${url}/api/v1/conversation/${conversationId}/events/stream?kind=PauseEvent`,
      { key: service.owner.key },
    );
    streams.push(stream);
    await eventually(() => expect(stream.lastId).not.toBeNull());
    await tell(delta('not for all'));
    await tell(pause());
    await stream.until(1);
    expect(stream.messages.map(({ kind }) => kind)).toEqual(['PauseEvent']);
  });

  it('reaches no stream where it has more than 256 KiB', async () => {
    await tell(delta('x'.repeat(260 * 1024)), delta('short'), pause());
    const [stream] = streams;
    await eventually(() => expect(contentsOf(heardBy(stream))).toEqual(['short', undefined]));
  });

  it('leaves room for others, and in the queue of notifications, where an agent floods its replica', async () => {
    const heard: string[] = [];
    const listener = new Client({ connectionString: database.url });
    await listener.connect();
    try {
      listener.on('notification', ({ payload = '' }) => heard.push(payload));
      await listener.query('LISTEN event_stream_transient');
      const other = randomUUID();
      const events = service.app.app.get(TransientEvents, { strict: false });
      const of = (id: string): string[] => heard.filter((payload) => payload.includes(id));
      // The other replica is known to have readers as soon as it has said so.
      await eventually(() => {
        events.pass(other, ['{}']);
        expect(of(other).length).toBeGreaterThan(0);
      });
      const before = of(other).length;
      events.pass(
        conversationId,
        Array.from({ length: 1_000 }, () => JSON.stringify(delta('x'.repeat(7_000)))),
      );
      events.pass(other, ['{"kind":"StreamingDeltaEvent"}']);
      await eventually(() => expect(of(other).slice(before).join()).toContain('StreamingDeltaEvent'));
      const flood = of(conversationId).join('');
      expect(flood.length).toBeGreaterThan(0);
      // 256 KiB within a second, which may have ended meanwhile.
      expect(flood.length).toBeLessThanOrEqual(2 * 256 * 1024);
    } finally {
      await listener.end();
    }
  });
});
