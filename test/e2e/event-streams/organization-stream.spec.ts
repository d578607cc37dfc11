import { newId } from '../../../src/kernel/common';
import {
  type DomainEvent,
  type DomainEventOf,
  DomainEventReader,
  DomainEvents,
  type PublishedEvent,
} from '../../../src/kernel/domain-events';
import { OrganizationTails } from '../../../src/outbound/event-streams/tails/tails';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { storeConversation } from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { runNow } from '../../support/service/recurring-jobs';
import { call, type ErrorBody } from '../../support/service/http';
import { agentEvent, storeEvents } from '../../support/streams/stored-events';
import { StreamReader, type StreamRequest } from '../../support/streams/stream-reader';

describe('the stream of an organization', () => {
  let database: TestDatabase;
  let app: TestApp;
  let other: TestApp;
  let admin: TestCaller;
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
    admin = await makeCaller(app.db, (await makeOrg(app.db)).id, 'admin');
  });

  afterEach(() => {
    for (const stream of opened.splice(0)) stream.close();
  });

  async function open(query = '', request: StreamRequest = { key: admin.key }): Promise<StreamReader> {
    const url = `${app.url}/api/organizations/${admin.orgId}/events/stream${query}`;
    const stream = await StreamReader.open(url, request);
    opened.push(stream);
    return stream;
  }

  const deleted = (orgId = admin.orgId): DomainEventOf<'conversation.deleted'> => ({
    kind: 'conversation.deleted',
    org_id: orgId,
    conversation_id: newId(),
  });

  const conversationOf = (event: DomainEvent): unknown =>
    'conversation_id' in event ? event.conversation_id : null;

  const publish = ({ app: nest, db }: TestApp, ...events: PublishedEvent[]): Promise<void> =>
    db.transaction((transaction) => nest.get(DomainEvents).publish(transaction, ...events));

  async function sevenDaysPass(): Promise<void> {
    await app.db.query(`UPDATE domain_events SET created_at = now() - interval '8 days'`);
    await runNow(app.db, 'domain-events-clean-up');
    const left = await app.db.query<unknown[]>('SELECT 1 FROM domain_events WHERE org_id = $1', [
      admin.orgId,
    ]);
    expect(left).toEqual([]);
  }

  it('has what happens in the organization, on whatever replica, and nothing of others', async () => {
    const stream = await open();
    await eventually(() => expect(stream.lastId).not.toBeNull());
    const elsewhere = (await makeOrg(app.db)).id;
    const [one, two] = [deleted(), deleted()];
    await publish(other, one, deleted(elsewhere));
    await stream.until(1);
    await publish(app, two);
    await stream.until(2);
    expect(stream.messages).toEqual(
      [one, two].map(({ kind, ...data }) => ({ type: kind, timestamp: expect.any(String) as string, data })),
    );
  });

  it('has events of agents by their ids, in the order in which they were stored', async () => {
    const { id } = await storeConversation(app.db, { org_id: admin.orgId, created_by_user_id: admin.userId });
    const stream = await open('?type=message.queued,event.received&type=member.added');
    await eventually(() => expect(stream.lastId).not.toBeNull());
    const events = Array.from({ length: 5 }, () => agentEvent());
    await publish(app, deleted());
    await storeEvents(other, id, events);
    await stream.until(5);
    expect(stream.messages.map(({ data }) => (data as { event_id: string }).event_id)).toEqual(
      events.map((event) => event.id),
    );
  });

  it('resumes where it was, and from the beginning of what is kept', async () => {
    const first = await open();
    await eventually(() => expect(first.lastId).not.toBeNull());
    const [one, two, three] = [deleted(), deleted(), deleted()];
    await publish(app, one);
    await first.until(1);
    first.close();
    await publish(app, two);
    await publish(other, three);
    const resumed = await open('', { key: admin.key, headers: { 'Last-Event-ID': first.lastId ?? '' } });
    await resumed.until(2);
    const whole = await open('?after=0');
    await whole.until(3);
    const idsOf = ({ messages }: StreamReader): unknown[] =>
      messages.map(({ data }) => (data as { conversation_id: string }).conversation_id);
    expect(idsOf(resumed)).toEqual([two, three].map(conversationOf));
    expect(idsOf(whole)).toEqual([one, two, three].map(conversationOf));
  });

  /** Closes the last stream of the organization, with which goes what is kept for readers that come back. */
  async function forgotten(stream: StreamReader): Promise<void> {
    stream.close();
    const tails = app.app.get(OrganizationTails, { strict: false });
    await eventually(() => expect(tails.isFollowed(admin.orgId)).toBe(false));
  }

  it('has a gap for what is older than seven days, and none for who has read that', async () => {
    const before = await open();
    await eventually(() => expect(before.lastId).not.toBeNull());
    await publish(app, deleted(), deleted());
    await before.until(2);
    await sevenDaysPass();
    await publish(app, deleted());
    await before.until(3);
    const [gone, kept] = [before.of('message')[1]?.id, before.of('message')[2]?.id];
    await forgotten(before);
    const late = await open('?after=0');
    await late.until(1);
    expect(late.events.map(({ type, id, data }) => [type, id, type === 'gap' ? data : ''])).toEqual([
      ['gap', gone, `{"from":1,"to":${gone}}`],
      ['message', kept, ''],
    ]);
    const resumed = await open(`?after=${gone}`);
    await resumed.until(1);
    expect(resumed.events.map(({ type, id }) => [type, id])).toEqual([['message', kept]]);
  });

  it('has that gap, too, where events go while it begins to read them', async () => {
    const following = await open();
    await eventually(() => expect(following.lastId).not.toBeNull());
    await publish(app, deleted(), deleted(), deleted());
    await following.until(3);
    const [first, , last] = following.of('message').map(({ id }) => Number(id));
    await forgotten(following);
    const reader = app.app.get(DomainEventReader, { strict: false });
    const bounds = reader.bounds.bind(reader);
    jest.spyOn(reader, 'bounds').mockImplementationOnce(async (orgId) => {
      const found = await bounds(orgId);
      await sevenDaysPass();
      return found;
    });
    const late = await open(`?after=${first}`);
    await publish(app, deleted());
    await late.until(1);
    expect(late.of('gap').map(({ id, data }) => [id, data])).toEqual([
      [`${last}`, `{"from":${Number(first) + 1},"to":${last}}`],
    ]);
  });

  it('needs the permission, and ends when it is lost', async () => {
    const member = await makeCaller(app.db, admin.orgId);
    const stranger = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    for (const [{ key }, code] of [
      [member, 'permission_denied'],
      [stranger, 'not_a_member'],
    ] as const) {
      const stream = await open('', { key });
      expect([stream.status, (await stream.body<ErrorBody>()).code]).toEqual([403, code]);
    }
    const stream = await open();
    await other.db.query(`UPDATE org_members SET role = 'member' WHERE user_id = $1`, [admin.userId]);
    await stream.closed();
    expect(stream.of('end').map(({ data }) => data)).toEqual([
      '{"reason":"permission_lost","resumable":false}',
    ]);
  });

  it('is refused with a future position, and for a type that there is not', async () => {
    const future = await open(`?after=${'9'.repeat(12)}`);
    expect([future.status, (await future.body<ErrorBody>()).code]).toEqual([400, 'stream_position_unknown']);
    expect((await open('?type=conversation.dreamt')).status).toBe(422);
    for (const id of ['-1', 'x', '1.5', ''])
      expect((await open('', { key: admin.key, headers: { 'Last-Event-ID': id } })).status).toBe(422);
  });

  describe('for a browser, with a ticket', () => {
    const ticketOf = async (path: string, key = admin.key): Promise<string> => {
      const askedAt = Date.now();
      const { status, body, headers } = await call<{ ticket: string; expires_at: string }>(
        app,
        'POST',
        path,
        {
          key,
        },
      );
      expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
      // The database, whose time counts, is on this machine.
      const madeAt = Date.parse(body.expires_at) - 60_000;
      expect(madeAt).toBeGreaterThanOrEqual(askedAt - 1);
      expect(madeAt).toBeLessThanOrEqual(Date.now() + 1);
      return body.ticket;
    };
    const orgTicket = (): Promise<string> =>
      ticketOf(`/api/organizations/${admin.orgId}/events/stream-ticket`);
    const refusal = async (stream: StreamReader): Promise<unknown[]> => {
      const { code } = await stream.body<ErrorBody>();
      return [stream.status, code, stream.headers['www-authenticate']];
    };
    const REFUSED = [401, 'not_authenticated', 'Bearer'];

    it('opens once, on any replica', async () => {
      const ticket = await orgTicket();
      const url = `${other.url}/api/organizations/${admin.orgId}/events/stream?ticket=${ticket}`;
      const [one, two] = [await StreamReader.open(url), await StreamReader.open(url)];
      opened.push(one, two);
      expect(one.status).toBe(200);
      expect(await refusal(two)).toEqual(REFUSED);
      await publish(app, deleted());
      await one.until(1);
    });

    it('opens once, however many show it at once, on two replicas', async () => {
      const ticket = await orgTicket();
      const streams = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          StreamReader.open(
            `${(n % 2 === 0 ? app : other).url}/api/organizations/${admin.orgId}/events/stream?ticket=${ticket}`,
          ),
        ),
      );
      opened.push(...streams);
      expect(streams.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(401)]);
    });

    it('opens one stream only, within its minute, and with a key that works', async () => {
      const { id } = await storeConversation(app.db, {
        org_id: admin.orgId,
        created_by_user_id: admin.userId,
      });
      const path = `/api/v1/conversation/${id}/events/stream`;
      expect(await refusal(await open(`?ticket=${await ticketOf(`${path}-ticket`)}`, {}))).toEqual(REFUSED);
      const respelt = path.replace(id, id.replaceAll('-', '').toUpperCase());
      const ofConversation = await StreamReader.open(
        `${app.url}${respelt}?ticket=${await ticketOf(`${path}-ticket`)}`,
      );
      opened.push(ofConversation);
      expect(ofConversation.status).toBe(200);
      const late = await orgTicket();
      await app.db.query(`UPDATE stream_tickets SET expires_at = now() - interval '1 s'`);
      expect(await refusal(await open(`?ticket=${late}`, {}))).toEqual(REFUSED);
      const revoked = await orgTicket();
      await app.db.query('DELETE FROM api_keys WHERE id = $1', [admin.keyId]);
      expect(await refusal(await open(`?ticket=${revoked}`, {}))).toEqual(REFUSED);
      expect(await refusal(await open('?ticket=', {}))).toEqual(REFUSED);
    });

    it('counts alone where a key is sent with it, and opens nothing else', async () => {
      expect(await refusal(await open('?ticket=wrong'))).toEqual(REFUSED);
      const ticket = await orgTicket();
      const { status } = await call(app, 'GET', `/api/organizations/${admin.orgId}?ticket=${ticket}`);
      expect(status).toBe(401);
    });

    it('is for who may read the stream', async () => {
      const member = await makeCaller(app.db, admin.orgId);
      const { status } = await call(app, 'POST', `/api/organizations/${admin.orgId}/events/stream-ticket`, {
        key: member.key,
      });
      expect(status).toBe(403);
    });

    it('is stored as a digest', async () => {
      const ticket = await orgTicket();
      const rows = await app.db.query<{ row: string }[]>('SELECT t::text AS row FROM stream_tickets t');
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.filter(({ row }) => row.includes(ticket))).toEqual([]);
    });
  });
});
