import { newId } from '../../../src/kernel/common';
import { DomainEvents } from '../../../src/kernel/domain-events';
import { ConversationSource } from '../../../src/outbound/event-streams/sources/conversation-source';
import { ConversationTails, NewsTails } from '../../../src/outbound/event-streams/tails/tails';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { awakeMs } from '../../support/awake-clock';
import { eventually } from '../../support/eventually';
import { storeConversation } from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import { agentEvent, storeEvents } from '../../support/streams/stored-events';
import { StreamReader, type StreamRequest } from '../../support/streams/stream-reader';
import { timeBound } from '../../support/time-bound';

describe('the stream of a conversation', () => {
  let database: TestDatabase;
  let app: TestApp;
  /** Another replica. */
  let other: TestApp;
  let owner: TestCaller;
  let conversationId: string;
  const opened: StreamReader[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp({ database });
    other = await startTestApp({ database });
  });

  afterAll(async () => {
    await app.close();
    await other.close();
    await database.drop();
  });

  beforeEach(async () => {
    owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    conversationId = await makeConversation(owner);
  });

  afterEach(() => {
    for (const stream of opened.splice(0)) stream.close();
  });

  async function makeConversation({ orgId, userId }: TestCaller): Promise<string> {
    return (await storeConversation(app.db, { org_id: orgId, created_by_user_id: userId })).id;
  }

  const pathOf = (id = conversationId): string => `/api/v1/conversation/${id}/events/stream`;

  async function open(
    query = '',
    request: StreamRequest = { key: owner.key },
    replica = app,
  ): Promise<StreamReader> {
    const stream = await StreamReader.open(`${replica.url}${pathOf()}${query}`, request);
    opened.push(stream);
    return stream;
  }

  const store = (...kinds: string[]): Promise<void> =>
    storeEvents(
      app,
      conversationId,
      kinds.map((kind) => agentEvent({ kind })),
    );

  const tails = (): ConversationTails => app.app.get(ConversationTails, { strict: false });

  const numbers = (stream: StreamReader): number[] => stream.of('message').map(({ id }) => Number(id));

  it('has events as they are stored, whichever replica stores them', async () => {
    const streams = [await open(), await open('', { key: owner.key }, other)];
    for (const { status, headers } of streams)
      expect([status, headers['content-type'], headers['x-accel-buffering']]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
        'no',
      ]);
    const event = agentEvent({ note: 'two\nlines, and a number: 1.0' });
    await storeEvents(app, conversationId, [event]);
    await storeEvents(other, conversationId, [agentEvent()]);
    for (const stream of streams) {
      await stream.until(2);
      expect(numbers(stream)).toEqual([1, 2]);
      expect(stream.of('message')[0]?.data).toBe(event.payload);
    }
  });

  it('begins with what comes next, after a position with what follows it, and after 0 with all', async () => {
    await store('PauseEvent', 'MessageEvent', 'PauseEvent');
    const streams = [await open(), await open('?after=1'), await open('?after=0')];
    await eventually(() => expect(streams.map(({ lastId }) => lastId)).toEqual(['3', '3', '3']));
    await store('PauseEvent');
    await eventually(() => expect(streams.map(numbers)).toEqual([[4], [2, 3, 4], [1, 2, 3, 4]]));
  });

  it('resumes after Last-Event-ID, which counts before the query that a browser repeats', async () => {
    await store('PauseEvent', 'PauseEvent', 'PauseEvent');
    const stream = await open('?after=0', { key: owner.key, headers: { 'Last-Event-ID': '2' } });
    await stream.until(1);
    expect(numbers(stream)).toEqual([3]);
  });

  it('tells its position first, so that a client that is cut off before the first event misses none', async () => {
    await store('PauseEvent');
    const stream = await open();
    await eventually(() => expect(stream.lastId).toBe('1'));
    expect(stream.retryMs).toBeGreaterThanOrEqual(1_000);
    expect(stream.events).toEqual([]);
  });

  it('is told from memory to who comes back while others follow', async () => {
    const source = app.app.get(ConversationSource, { strict: false });
    // However long this takes.
    jest.spyOn(tails(), 'age').mockReturnValue();
    const stays = await open('?after=0');
    await eventually(() => expect(tails().isFollowed(conversationId)).toBe(true));
    await store('A', 'B', 'C');
    await stays.until(3);
    const reads = [jest.spyOn(source, 'bounds'), jest.spyOn(source, 'next')];
    const back = await open('?after=1&kind=C');
    await back.until(1);
    await store('C');
    for (const stream of [stays, back]) await stream.until(stream === back ? 2 : 4);
    expect([numbers(stays), numbers(back)]).toEqual([
      [1, 2, 3, 4],
      [3, 4],
    ]);
    for (const read of reads) expect(read).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  it('has events of certain kinds only, and heartbeats that say how far it got with the others', async () => {
    await store('PauseEvent', 'MessageEvent');
    const stream = await open('?after=0&kind=MessageEvent,ActionEvent&kind=Condensation');
    await stream.until(1);
    await store('Condensation', 'PauseEvent');
    await stream.until(2);
    expect(numbers(stream)).toEqual([2, 3]);
    await eventually(() => expect([stream.comments.at(-1), stream.lastId]).toEqual(['heartbeat', '4']));
  });

  it('has a gap where events are gone that were asked for', async () => {
    await store(...Array.from({ length: 6 }, () => 'PauseEvent'));
    await app.db.query('DELETE FROM events WHERE conversation_id = $1 AND seq = ANY ($2)', [
      conversationId,
      [1, 2, 4, 6],
    ]);
    const stream = await open('?after=1');
    await eventually(() => expect(stream.lastId).toBe('6'));
    expect(stream.events.map(({ type, id, data }) => [type, id, type === 'gap' ? data : ''])).toEqual([
      ['gap', '2', '{"from":2,"to":2}'],
      ['message', '3', ''],
      ['gap', '4', '{"from":4,"to":4}'],
      ['message', '5', ''],
      ['gap', '6', '{"from":6,"to":6}'],
    ]);
    const ofKind = await open('?after=1&kind=MessageEvent');
    await eventually(() => expect(ofKind.lastId).toBe('6'));
    expect(ofKind.events.map(({ type, id }) => [type, id])).toEqual([
      ['gap', '2'],
      ['gap', '4'],
      ['gap', '6'],
    ]);
  });

  it('has many and large events from the beginning, page by page', async () => {
    const filler = 'x'.repeat(300_000);
    const large = Array.from({ length: 3 }, () => agentEvent({ filler }));
    await storeEvents(app, conversationId, large);
    await storeEvents(
      app,
      conversationId,
      Array.from({ length: 500 }, () => agentEvent()),
    );
    const stream = await open('?after=0');
    await stream.until(503);
    expect(numbers(stream)).toEqual(Array.from({ length: 503 }, (_, n) => n + 1));
    expect(stream.of('message')[2]?.data).toBe(large[2]?.payload);
  });

  describe('tells its creator', () => {
    const known = (stream: StreamReader): unknown[] =>
      stream.events
        // That its record has changed to have a sandbox may be told to a stream that has just begun.
        .filter(({ type }) => type.includes('.') && type !== 'conversation.updated')
        .map(({ type, data }) => {
          const { type: said, data: about } = JSON.parse(data) as { type: string; data: { status?: string } };
          expect(said).toBe(type);
          return [type, about.status ?? null];
        });

    const publish = (...statuses: string[]): Promise<void> =>
      other.db.transaction(async (transaction) => {
        const events = other.app.get(DomainEvents, { strict: false });
        for (const status of statuses)
          await events.publish(transaction, {
            kind: 'start_task.status_changed',
            org_id: owner.orgId,
            conversation_id: conversationId,
            start_task_id: newId(),
            status,
          });
      });

    it('what the service knows of it and of its sandbox, whichever replica does it, and others nothing', async () => {
      const sandboxId = newId();
      await app.db.query('UPDATE conversations SET sandbox_id = $2 WHERE id = $1', [
        conversationId,
        sandboxId,
      ]);
      const admin = await makeCaller(app.db, owner.orgId, 'admin');
      const streams = [await open(), await open('', { key: owner.key }, other)];
      const foreign = await open('', { key: admin.key });
      const chosen = await open('?kind=sandbox.status_changed,PauseEvent');
      await publish('WORKING', 'READY');
      await other.db.transaction((transaction) =>
        other.app.get(DomainEvents, { strict: false }).publish(transaction, {
          kind: 'sandbox.status_changed',
          org_id: owner.orgId,
          sandbox_id: sandboxId,
          status: 'RUNNING',
          stopping: false,
          status_detail: null,
        }),
      );
      await eventually(() => {
        for (const stream of streams)
          expect(known(stream)).toEqual([
            ['start_task.status_changed', 'WORKING'],
            ['start_task.status_changed', 'READY'],
            ['sandbox.status_changed', 'RUNNING'],
          ]);
        expect(known(chosen)).toEqual([['sandbox.status_changed', 'RUNNING']]);
      });
      await store('PauseEvent');
      for (const stream of [...streams, foreign, chosen]) await stream.until(1);
      expect(foreign.events.map(({ type }) => type)).toEqual(['message']);
    });

    it('that again which it may not have read before a break, at the position of the events', async () => {
      await publish('WORKING');
      await store('PauseEvent');
      await publish('READY');
      const whole = await open('?after=0');
      await eventually(() => expect(known(whole)).toHaveLength(2));
      await whole.until(1);
      const resumed = await open('?after=1');
      await eventually(() => expect(known(resumed)).toHaveLength(2));
      expect(resumed.events.map(({ id }) => id)).toEqual(['1', '1']);
      // Long ago, all but what came after the event.
      await app.db.query(
        `UPDATE domain_events SET created_at = created_at - interval '1 hour'
          WHERE conversation_id = $1 AND event ->> 'status' = 'WORKING'`,
        [conversationId],
      );
      const later = await open('?after=1');
      await eventually(() => expect(known(later)).toEqual([['start_task.status_changed', 'READY']]));
    });
  });

  it('begins where others are who were told what is not kept any more', async () => {
    const stays = await open('?after=0');
    await other.db.transaction((transaction) =>
      other.app.get(DomainEvents, { strict: false }).publish(transaction, {
        kind: 'conversation.deleted',
        org_id: owner.orgId,
        conversation_id: conversationId,
      }),
    );
    await eventually(() => expect(stays.of('conversation.deleted')).toHaveLength(1));
    await app.db.query('DELETE FROM domain_events WHERE conversation_id = $1', [conversationId]);
    // Later than what is kept in memory.
    app.app.get(NewsTails, { strict: false }).age();
    app.app.get(NewsTails, { strict: false }).age();
    const begins = await open('?after=0');
    await store('PauseEvent');
    for (const stream of [stays, begins]) await stream.until(1);
    expect(begins.of('conversation.deleted')).toEqual([]);
  });

  describe('is refused before it begins', () => {
    const refusal = async (stream: StreamReader): Promise<unknown[]> => {
      const { code } = await stream.body<ErrorBody>();
      return [stream.status, code];
    };

    it.each(['-1', 'x', '1.5', ''])('with a Last-Event-ID that is none: "%s"', async (id) => {
      const stream = await open('?after=x', { key: owner.key, headers: { 'Last-Event-ID': id } });
      const { detail } = await stream.body<{ detail: { loc: string[] }[] }>();
      expect([stream.status, detail.map(({ loc }) => loc)]).toEqual([
        422,
        [
          ['query', 'after'],
          ['header', 'last-event-id'],
        ],
      ]);
    });

    it('with a position that no event has had', async () => {
      await store('PauseEvent');
      const future = ['2', '9'.repeat(15), '9'.repeat(30)];
      for (const id of future) {
        expect(await refusal(await open(`?after=${id}`))).toEqual([400, 'stream_position_unknown']);
        const stream = await open('', { key: owner.key, headers: { 'Last-Event-ID': id } });
        expect(await refusal(stream)).toEqual([400, 'stream_position_unknown']);
      }
    });

    it('without a key, for another organization, and for a conversation of somebody else', async () => {
      expect(await refusal(await open('', {}))).toEqual([401, 'not_authenticated']);
      const stranger = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
      const colleague = await makeCaller(app.db, owner.orgId);
      for (const { key } of [stranger, colleague])
        expect(await refusal(await open('', { key }))).toEqual([404, 'conversation_not_found']);
      const admin = await makeCaller(app.db, owner.orgId, 'admin');
      expect((await open('', { key: admin.key })).status).toBe(200);
    });
  });

  it('answers HEAD without a stream', async () => {
    const { status, headers } = await call(app, 'HEAD', pathOf(), { key: owner.key });
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  describe('ends, and says why,', () => {
    const ends: readonly [string, string, (admin: TestCaller) => Promise<unknown>][] = [
      [
        'when the conversation is deleted',
        'conversation_deleted',
        () => other.db.query('UPDATE conversations SET deleted_at = now() WHERE id = $1', [conversationId]),
      ],
      [
        'when the key is revoked',
        'credential_ended',
        ({ keyId }) => other.db.query('DELETE FROM api_keys WHERE id = $1', [keyId]),
      ],
      [
        'when the key has expired',
        'credential_ended',
        ({ keyId }) => other.db.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [keyId]),
      ],
      [
        'when the user is disabled',
        'credential_ended',
        ({ userId }) => other.db.query('UPDATE users SET disabled_at = now() WHERE id = $1', [userId]),
      ],
      [
        'when the membership is lost',
        'membership_lost',
        ({ userId }) => other.db.query('DELETE FROM org_members WHERE user_id = $1', [userId]),
      ],
      [
        'when the permission is lost to read the conversations of others',
        'permission_lost',
        ({ userId }) => other.db.query(`UPDATE org_members SET role = 'member' WHERE user_id = $1`, [userId]),
      ],
    ];

    it.each(ends)('%s', async (_, reason, change) => {
      const admin = await makeCaller(app.db, owner.orgId, 'admin');
      const stream = await open('', { key: admin.key });
      await eventually(() => expect(stream.lastId).toBe('0'));
      await change(admin);
      const changedAt = awakeMs();
      await stream.closed();
      const [end] = stream.of('end');
      expect(JSON.parse(end?.data ?? '')).toEqual({ reason, resumable: false });
      // A second in theory; a machine that is busy with other tests gets more.
      expect(awakeMs() - changedAt).toBeLessThan(timeBound(5_000));
    });

    it('when the session of the browser ends', async () => {
      const { body } = await call<{ id: number }>(app, 'GET', '/api/keys/current', { key: owner.key });
      const [{ id }] = await app.db.query<[{ id: number }]>(
        `INSERT INTO browser_sessions (api_key_id, digest, last_used_at) VALUES ($1, $2, now()) RETURNING id`,
        [body.id, newId().padEnd(64, '0')],
      );
      await app.db.query(
        `INSERT INTO stream_tickets (digest, api_key_id, session_id, subject, expires_at)
         VALUES (encode(sha256('of-a-session'), 'hex'), $1, $2, $3, now() + '1 min')`,
        [body.id, id, `conversation_id ${conversationId}`],
      );
      const stream = await open('?ticket=of-a-session', {});
      expect(stream.status).toBe(200);
      await app.db.query('DELETE FROM browser_sessions WHERE id = $1', [id]);
      await stream.closed();
      expect(stream.of('end').map(({ data }) => data)).toEqual([
        '{"reason":"credential_ended","resumable":false}',
      ]);
    });
  });

  it('ends, to be resumed, where stored events cannot be read; one that has them all waits', async () => {
    // Before anybody follows: so it is kept in no memory.
    await store('PauseEvent');
    const following = await open('?after=0');
    await following.until(1);
    await eventually(() => expect(tails().isFollowed(conversationId)).toBe(true));
    await app.db.query('ALTER TABLE events RENAME COLUMN payload TO hidden');
    const interrupted = await open('?after=0');
    await interrupted.closed();
    await app.db.query('ALTER TABLE events RENAME COLUMN hidden TO payload');
    expect(interrupted.events.map(({ type, data }) => [type, data])).toEqual([
      ['end', '{"reason":"interrupted","resumable":true}'],
    ]);
    expect(interrupted.lastId).toBe('0');
    await store('PauseEvent');
    await following.until(2);
    expect(numbers(following)).toEqual([1, 2]);
  });

  it('is counted in the metrics', async () => {
    const stream = await open();
    await store('PauseEvent');
    await stream.until(1);
    const { body } = await call<string>(app, 'GET', '/metrics');
    expect(body).toMatch(/event_streams\{kind="conversation"\} [1-9]/);
    expect(body).toMatch(/event_stream_events_total\{kind="conversation"\} [1-9]/);
    stream.close();
    await eventually(async () => {
      const later = await call<string>(app, 'GET', '/metrics');
      expect(later.body).toMatch(/event_streams_ended_total\{kind="conversation",reason="client"\} [1-9]/);
      // How long a reader stays says nothing about how fast requests are answered.
      expect(later.body).not.toMatch(/http_request_duration_seconds_count\{.*events\/stream",status="200"\}/);
    });
  });
});
