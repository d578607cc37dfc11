import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { OpenStreams } from '../../../src/outbound/event-streams';
import { ConversationSource } from '../../../src/outbound/event-streams/sources/conversation-source';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { storeConversation } from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { agentEvent, storeEvents } from '../../support/streams/stored-events';
import { StreamReader } from '../../support/streams/stream-reader';

const KEY_LIMIT = 20;

describe('readers of streams that do as they please', () => {
  let database: TestDatabase;
  let app: TestApp;
  let owner: TestCaller;
  let conversationId: string;
  let source: ConversationSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp({ database });
    source = app.app.get(ConversationSource, { strict: false });
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
    jest.restoreAllMocks();
    await eventually(() => expect(places()).toBe(0));
  });

  const places = (): number => app.app.get(OpenStreams, { strict: false }).count();

  const path = (query = ''): string => `/api/v1/conversation/${conversationId}/events/stream${query}`;

  const open = (query = ''): Promise<StreamReader> =>
    StreamReader.open(app.url + path(query), { key: owner.key });

  const numbers = (stream: StreamReader): number[] => stream.of('message').map(({ id }) => Number(id));

  /** Sends requests for streams on one connection, without waiting for responses. */
  function send(count: number, query = ''): Socket {
    const { hostname, port, host } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    const request = `GET ${path(query)} HTTP/1.1\r\nHost: ${host}\r\nX-Access-Token: ${owner.key}\r\n\r\n`;
    socket.write(request.repeat(count));
    return socket;
  }

  it('give back the places of requests that wait behind another one on their connection', async () => {
    const socket = send(KEY_LIMIT);
    await eventually(() => expect(places()).toBe(KEY_LIMIT));
    socket.destroy();
    await eventually(() => expect(places()).toBe(0));
    const stream = await open();
    expect(stream.status).toBe(200);
    stream.close();
  });

  it('give back the places of requests that are gone before there is a response', async () => {
    for (let n = 0; n < 3 * KEY_LIMIT; n++) {
      const socket = send(1);
      socket.once('connect', () => setImmediate(() => socket.destroy()));
      if (n % 5 === 0) await turn();
    }
    await eventually(() => expect(places()).toBe(0));
    const streams = await Promise.all(Array.from({ length: KEY_LIMIT }, () => open()));
    expect(streams.map(({ status }) => status)).toEqual(Array<number>(KEY_LIMIT).fill(200));
    for (const stream of streams) stream.close();
  });

  it("spell the id of a ticket's conversation in any way that is one", async () => {
    for (const id of [
      `urn:uuid:${conversationId}`,
      `%7B${conversationId}%7D`,
      conversationId.toUpperCase(),
    ]) {
      const { body } = await call<{ ticket: string }>(app, 'POST', `${path()}-ticket`, { key: owner.key });
      const url = `${app.url}${path().replace(conversationId, id)}?ticket=${body.ticket}`;
      const stream = await StreamReader.open(url);
      expect(stream.status).toBe(200);
      stream.close();
    }
  });

  it('have nothing read for them once they are gone', async () => {
    await storeEvents(app, conversationId, [agentEvent()]);
    const reads = jest.spyOn(source, 'next');
    const runner = app.db.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query('LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
      const streams = await Promise.all(Array.from({ length: KEY_LIMIT }, () => open('?after=0')));
      for (const stream of streams) stream.close();
      await eventually(() => expect(places()).toBe(0));
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
    const stream = await open('?after=0');
    await stream.until(1);
    stream.close();
    // Four read at a time.
    expect(reads.mock.calls.length).toBeLessThanOrEqual(4 + 1);
  });

  it('that read nothing hold one large event of their user', async () => {
    // More than the buffers of a connection take.
    const filler = 'x'.repeat(14 * 1024 * 1024);
    const events = [agentEvent(), agentEvent({ filler }), agentEvent()];
    await storeEvents(app, conversationId, events);
    const reads = jest.spyOn(source, 'next');
    const ofLarge = (isLarge: boolean): number =>
      reads.mock.calls.filter(([, , wanted]) => wanted.large === isLarge).length;
    const stalled = Array.from({ length: 5 }, () => send(1, '?after=0'));
    // Each reads the first event, and then that the next one is large.
    await eventually(() => expect(ofLarge(false)).toBe(2 * stalled.length));
    await Promise.all(reads.mock.results.map(({ value }) => value as Promise<unknown>));
    await turn();
    expect(ofLarge(true)).toBe(1);
    for (const socket of stalled) socket.destroy();
    const stream = await open('?after=0');
    await stream.until(3);
    expect(stream.of('message').map(({ data }) => data)).toEqual(events.map(({ payload }) => payload));
    stream.close();
  });

  it('that follow get a large event between others, once', async () => {
    const streams = await Promise.all([open(), open(), open('?kind=PauseEvent')]);
    await eventually(() => expect(streams.map(({ lastId }) => lastId)).toEqual(['0', '0', '0']));
    const filler = 'x'.repeat(2 * 1024 * 1024);
    await storeEvents(app, conversationId, [agentEvent(), agentEvent({ kind: 'ActionEvent', filler })]);
    await storeEvents(app, conversationId, [agentEvent(), agentEvent({ filler }), agentEvent()]);
    await eventually(() =>
      expect(streams.map(numbers)).toEqual([
        [1, 2, 3, 4, 5],
        [1, 2, 3, 4, 5],
        [1, 3, 4, 5],
      ]),
    );
    await storeEvents(app, conversationId, [agentEvent()]);
    await eventually(() => expect(streams.map((stream) => numbers(stream).at(-1))).toEqual([6, 6, 6]));
    for (const stream of streams) stream.close();
  });
});
