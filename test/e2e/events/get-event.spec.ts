import { randomUUID } from 'node:crypto';
import request, { type Response } from 'supertest';
import { EventRepository } from '../../../src/conversations/events/storage/event.repository';
import { EVENT_KINDS } from '../../../src/conversations/events/retrieval/event-schema';
import type { CallMatcher } from '../../support/agent-server/agent-server-calls';
import type { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import type { ConversationService } from '../../support/service/conversation-service';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { makeCaller, makeKey, makeOrg } from '../../support/service/factories';
import { freePort } from '../../support/service/free-port';
import { sendRaw } from '../../support/service/raw-request';

/** Calls for an event of a conversation. */
const eventOf = (conversationId: string): CallMatcher => {
  const events = `/api/conversations/${conversationId}/events/`;
  return ({ method, path }) => method === 'GET' && path.startsWith(events);
};

describe('GET /api/conversations/{conversation_id}/events/{event_id}', () => {
  let doubled: DoubledService;
  let service: ConversationService;
  let double: AgentServerDouble;

  beforeAll(async () => {
    doubled = await DoubledService.start();
    ({ service, double } = doubled);
  });

  beforeEach(() => double.heal());

  afterAll(() => doubled.close());

  /** The response as text: what counts are its bytes. */
  async function get(conversationId: string, eventId: string, key = service.owner.key): Promise<Response> {
    return request(service.app.url)
      .get(`/api/conversations/${conversationId}/events/${eventId}`)
      .set('X-Access-Token', key);
  }

  function codeOf({ text }: Response): unknown {
    return (JSON.parse(text) as { code?: unknown }).code;
  }

  /** Posts JSON text as the agent server does. */
  async function receive(conversationId: string, events: readonly string[]): Promise<void> {
    await request(service.app.url)
      .post(`/api/v1/webhooks/events/${conversationId.replaceAll('-', '')}`)
      .set({ 'Content-Type': 'application/json', 'X-Session-API-Key': double.target.apiKey })
      .send(`[${events.join(',')}]`)
      .expect(200);
  }

  /** The events of a conversation that the agent server was asked for. */
  function eventCalls(conversationId: string): string[] {
    return double.arrived(eventOf(conversationId)).map(({ path }) => path);
  }

  it.each([...EVENT_KINDS, 'AnEventOfTomorrow'])('answers a %s byte for byte', async (kind) => {
    const { id } = await doubled.conversation();
    const eventId = randomUUID();
    const payload =
      `{ "id":"${eventId}",  "kind": "${kind}","timestamp":"2026-01-02T03:04:05.678901","source":"agent",` +
      `"forgotten_event_ids":[ "a" ],"summary_offset": 0, "cost":1.50e0,"text":"\\u00e9\\u0000\\ud800 é",` +
      `"big":12345678901234567890, "twice":1,"twice":2 }`;
    await receive(id, [payload]);
    const response = await get(id, eventId);
    expect({ status: response.status, text: response.text }).toEqual({ status: 200, text: payload });
    expect(response.type).toContain('application/json');
    expect(eventCalls(id)).toEqual([]);
  });

  it('takes the conversation id in any spelling', async () => {
    const { id } = await doubled.conversation();
    await receive(id, ['{"id":"one","kind":"PauseEvent"}']);
    expect((await get(id.replaceAll('-', '').toUpperCase(), 'one')).status).toBe(200);
  });

  it('asks the agent server for one that is not stored yet, once', async () => {
    const { id } = await doubled.conversation();
    await service.call('POST', `/api/v1/app-conversations/${id}/send-message`, {
      body: { content: [{ type: 'text', text: 'Hello' }], run: false },
    });
    const eventId = double.messages(id)[0]?.eventId ?? '';
    const first = await get(id, eventId);
    expect(first.status).toBe(200);
    expect(JSON.parse(first.text)).toMatchObject({ id: eventId, kind: 'MessageEvent', source: 'user' });
    expect(await get(id, eventId)).toMatchObject({ status: 200, text: first.text });
    expect(eventCalls(id)).toHaveLength(1);
  });

  it('is 404 for an event that the agent server does not know either', async () => {
    const { id } = await doubled.conversation();
    const response = await get(id, randomUUID());
    expect([response.status, codeOf(response)]).toEqual([404, 'event_not_found']);
    expect(eventCalls(id)).toHaveLength(1);
  });

  it('is 404 for an id of the service’s own events, under which agent servers have none, and asks nobody', async () => {
    const { id } = await doubled.conversation();
    const forged = `service-${randomUUID()}`;
    await receive(id, [`{"id":"${forged}","kind":"ConversationErrorEvent","code":"conversation_stopped"}`]);
    const response = await get(id, forged);
    expect([response.status, codeOf(response)]).toEqual([404, 'event_not_found']);
    expect(eventCalls(id)).toEqual([]);
    // It is known to be in the log of the agent server, which is read from there on.
    expect(await service.app.app.get(EventRepository, { strict: false }).lastLogged(id)).toBe(forged);
  });

  it.each(['.', '..', '%2E', '%2E%2E', 'search', 'count'])(
    'is 404 for %s, and asks nobody',
    async (eventId) => {
      const { id } = await doubled.conversation();
      const { status } = await sendRaw(service.app.url, {
        method: 'GET',
        target: `/api/conversations/${id}/events/${eventId}`,
        headers: { 'X-Access-Token': service.owner.key },
        body: Buffer.alloc(0),
      });
      expect(status).toBe(404);
      expect(eventCalls(id)).toEqual([]);
    },
  );

  it('asks for an id with slashes and dots as one segment', async () => {
    const { id } = await doubled.conversation();
    const eventId = encodeURIComponent('../../search?x=1#y');
    expect((await get(id, eventId)).status).toBe(404);
    expect(eventCalls(id)).toEqual([`/api/conversations/${id}/events/${eventId}`]);
  });

  it('is 503 with Retry-After when the agent server fails otherwise', async () => {
    const { id } = await doubled.conversation();
    double.fail({ kind: 'status', status: 502, stored: false }, eventOf(id));
    const response = await get(id, 'some-event');
    expect([response.status, codeOf(response)]).toEqual([503, 'agent_server_unavailable']);
    expect(response.headers['retry-after']).toBeDefined();
  });

  it('is 503 when the agent server is away', async () => {
    const { id } = await doubled.conversation({
      sandbox: { baseUrl: `http://127.0.0.1:${await freePort()}` },
    });
    expect((await get(id, 'some-event')).status).toBe(503);
  });

  it.each(['PAUSED', 'MISSING', 'STARTING', 'ERROR'])(
    'is 404 for one not stored when the sandbox is %s',
    async (status) => {
      const { id } = await doubled.conversation({ sandbox: { status } });
      await receive(id, ['{"id":"stored","kind":"PauseEvent"}']);
      expect((await get(id, 'stored')).status).toBe(200);
      expect((await get(id, 'not-stored')).status).toBe(404);
    },
  );

  it('is 422 for a malformed conversation id, with loc, msg and type only', async () => {
    const response = await get('nonsense', 'some-event');
    expect(response.status).toBe(422);
    const { detail } = JSON.parse(response.text) as { detail: Record<string, unknown>[] };
    expect(detail.map((entry) => Object.keys(entry).sort())).toEqual([['loc', 'msg', 'type']]);
    expect(detail[0]?.loc).toEqual(['path', 'conversation_id']);
  });

  it('may be read by the creator and by admins, and is 404 for everyone else', async () => {
    const { db } = service.app;
    const org = await makeOrg(db);
    const creator = await makeCaller(db, org.id);
    const { id } = await doubled.conversation({ owner: creator });
    await receive(id, ['{"id":"one","kind":"PauseEvent"}']);
    const admin = await makeCaller(db, org.id, 'admin');
    const member = await makeCaller(db, org.id);
    const bound = await makeKey(db, creator.userId, { orgId: (await makeOrg(db)).id });
    const statuses = [];
    for (const { key } of [creator, admin, member, service.owner, bound])
      statuses.push((await get(id, 'one', key)).status);
    expect(statuses).toEqual([200, 200, 404, 404, 404]);
  });

  it('is 404 for an unknown or deleted conversation', async () => {
    const { id } = await doubled.conversation({ deleted_at: new Date() });
    for (const unknown of [id, randomUUID()]) {
      const response = await get(unknown, 'one');
      expect([response.status, codeOf(response)]).toEqual([404, 'conversation_not_found']);
    }
  });

  it('is 404 for the event of another conversation', async () => {
    const [one, two] = [await doubled.conversation(), await doubled.conversation()];
    await receive(one.id, ['{"id":"mine","kind":"PauseEvent"}']);
    expect((await get(two.id, 'mine')).status).toBe(404);
  });
});
