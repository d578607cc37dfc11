import { newId } from '../../../src/kernel/common';
import { OpenStreams } from '../../../src/outbound/event-streams';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { storeConversation } from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import { agentEvent, storeEvents } from '../../support/streams/stored-events';
import { StreamReader } from '../../support/streams/stream-reader';

describe('the limits of streams', () => {
  let database: TestDatabase;
  let app: TestApp;
  let owner: TestCaller;
  let conversationId: string;
  const opened: StreamReader[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp({ database });
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  beforeEach(async () => {
    owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const { orgId: org_id, userId: created_by_user_id } = owner;
    conversationId = (await storeConversation(app.db, { org_id, created_by_user_id })).id;
  });

  afterEach(async () => {
    for (const stream of opened.splice(0)) stream.close();
    await eventually(() => expect(app.app.get(OpenStreams).count()).toBe(0));
  });

  async function open(query = '', key = owner.key, headers = {}, replica = app): Promise<StreamReader> {
    const url = `${replica.url}/api/v1/conversation/${conversationId}/events/stream${query}`;
    const stream = await StreamReader.open(url, { key, headers });
    opened.push(stream);
    return stream;
  }

  async function expectRefused(stream: StreamReader, limit: string): Promise<void> {
    const { code, detail } = await stream.body<ErrorBody>();
    expect([stream.status, code, stream.headers['retry-after']]).toEqual([429, 'streams_exceeded', '5']);
    expect(detail).toContain(limit);
  }

  const store = (count: number, bytes: number): Promise<void> => {
    const filler = 'x'.repeat(bytes);
    return storeEvents(
      app,
      conversationId,
      Array.from({ length: count }, () => agentEvent({ filler })),
    );
  };

  const numbers = (stream: StreamReader): number[] => stream.of('message').map(({ id }) => Number(id));
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

  /** A counter of the metrics; 0 while it has none. */
  async function counted(name: string): Promise<number> {
    const { body } = await call<string>(app, 'GET', '/metrics');
    const line = body.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length) ?? 0);
  }

  it('are 20 streams of a key, whichever they are of, until one of them ends', async () => {
    const streams = await Promise.all(Array.from({ length: 19 }, () => open()));
    const path = `/api/organizations/${owner.orgId}/events/stream`;
    const ofOrg = await StreamReader.open(`${app.url}${path}`, { key: owner.key });
    opened.push(ofOrg);
    expect([...streams, ofOrg].map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    await expectRefused(await open(), '20 streams of this key');
    const another = (await makeKey(app.db, owner.userId)).key;
    expect((await open('', another)).status).toBe(200);
    streams[0]?.close();
    await eventually(async () => expect((await open()).status).toBe(200));
  });

  it('are 200 streams of a user, however many keys they have', async () => {
    const keys: string[] = [];
    for (let n = 0; n <= 10; n++) keys.push((await makeKey(app.db, owner.userId)).key);
    const streams = await Promise.all(Array.from({ length: 200 }, (_, n) => open('', keys[n % 10])));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    await expectRefused(await open('', keys[10]), '200 streams of this user');
  });

  it('are 2,000 streams of a replica, until one of them ends', async () => {
    const streams = app.app.get(OpenStreams);
    const holder = {
      kind: 'conversation' as const,
      conversationId: null,
      permission: null,
      sessionId: null,
      keyExpiresAt: null,
    };
    const orgIds = [newId(), newId()];
    const userIds = Array.from({ length: 10 }, newId);
    const places = Array.from({ length: 1_999 }, (_, n) =>
      streams.take({
        ...holder,
        ...{
          keyId: 1_000_000 + Math.floor(n / 20),
          userId: userIds[n % 10] ?? '',
          orgId: orgIds[n % 2] ?? '',
        },
      }),
    );
    try {
      const last = await open();
      expect(last.status).toBe(200);
      await expectRefused(await open(), '2000 streams already');
      last.close();
      await eventually(async () => expect((await open()).status).toBe(200));
    } finally {
      for (const place of places) place.free();
    }
  });

  it('end a reader that lags by more than 256 kB, which resumes where it was', async () => {
    const stream = await open();
    await eventually(() => expect(stream.lastId).toBe('0'));
    stream.pause();
    const ended = 'event_streams_ended_total{kind="conversation",reason="reader_too_slow"}';
    let stored = 0;
    while ((await counted(ended)) === 0) {
      await store(1, 100_000);
      stored++;
      expect(stored).toBeLessThan(500);
    }
    stream.resume();
    await stream.closed();
    const got = numbers(stream);
    expect(got).toEqual(upTo(got.length));
    const next = await open('', owner.key, { 'Last-Event-ID': stream.lastId ?? '' });
    await next.until(stored - got.length);
    expect([...got, ...numbers(next)]).toEqual(upTo(stored));
  });

  it('do not end a reader that takes what comes, however much comes at once', async () => {
    const stream = await open();
    await eventually(() => expect(stream.lastId).toBe('0'));
    await store(20, 100_000);
    await stream.until(20);
    expect([numbers(stream), stream.of('end')]).toEqual([upTo(20), []]);
  });

  it('do not end a reader that is slow to read what was stored before; the service waits for it', async () => {
    await store(50, 500_000);
    const sent = 'event_stream_events_total{kind="conversation"}';
    const before = await counted(sent);
    const stream = await open('?after=0');
    stream.pause();
    let count = -1;
    await eventually(async () => {
      const last = count;
      count = await counted(sent);
      expect(count).toBe(last);
    });
    expect(count - before).toBeLessThan(50);
    stream.resume();
    await stream.until(50);
    expect([numbers(stream), stream.of('end')]).toEqual([upTo(50), []]);
  });
});
