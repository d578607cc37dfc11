import { RetentionRuns } from '../../../src/operations/retention';
import { EventRepository } from '../../../src/conversations/events/storage/event.repository';
import { readEvent } from '../../../src/conversations/events/storage/received-event';
import { eventually } from '../../support/eventually';
import { ConversationService } from '../../support/service/conversation-service';
import { RetentionFixture } from '../../support/retention/retention-fixture';
import { call } from '../../support/service/http';

interface Page {
  readonly items: readonly { readonly id: string }[];
  readonly next_page_id: string | null;
}

const event = (id: string, at: Date) =>
  readEvent(JSON.stringify({ id, kind: 'MessageEvent', timestamp: at.toISOString() }), at)!;

const BYTES = `SELECT (SELECT coalesce(sum(bytes), 0) FROM event_bytes) = (SELECT coalesce(sum(octet_length(payload)), 0) FROM events)
                      AS org,
                      (SELECT coalesce(sum(bytes), 0) FROM event_logs) = (SELECT coalesce(sum(octet_length(payload)), 0) FROM events)
                      AS logs`;

describe('events of conversations that were not active for long', () => {
  let base: RetentionFixture;
  let fixture: RetentionFixture;
  beforeAll(async () => (base = await RetentionFixture.start()));
  beforeEach(async () => {
    fixture = await base.another();
    await fixture.keep({ events_days: 30 });
  });
  afterAll(() => base.close());

  const search = async (id: string): Promise<Page> =>
    (await call<Page>(fixture.app, 'GET', `/api/v1/conversation/${id}/events/search`, fixture.owner)).body;

  it('go, while the conversation stays with its figures, and the bytes that are counted are those that are there', async () => {
    const old = await fixture.store({ days: 31, events: 2_500 });
    const recent = await fixture.store({ days: 29, events: 3 });
    const running = await fixture.store({ days: 31, events: 3, sandbox: 'RUNNING' });
    const before = [await fixture.get('/conversations/stats'), (await fixture.listed()).sort()];
    expect(await fixture.announcedRun()).toMatchObject({
      removed: { events: { items: 2_500, bytes: 250_000 } },
    });
    expect([await fixture.get('/conversations/stats'), (await fixture.listed()).sort()]).toEqual(before);
    expect(await search(old)).toEqual({ items: [], next_page_id: null });
    const count = `/api/v1/conversation/${old}/events/count`;
    expect((await call(fixture.app, 'GET', count, fixture.owner)).body).toBe(0);
    const one = await call(fixture.app, 'GET', `/api/v1/app-conversations?ids=${old}`, fixture.owner);
    expect(one).toMatchObject({ status: 200, body: [{ id: old, title: 'A secret title' }] });
    for (const id of [recent, running]) expect((await search(id)).items).toHaveLength(3);
    expect(await fixture.db.query(BYTES)).toEqual([{ org: true, logs: true }]);
    const zip = await fetch(`${fixture.app.url}/api/v1/app-conversations/${old}/download`, {
      headers: { 'X-Access-Token': fixture.owner.key },
    });
    expect(zip.status).toBe(200);
    await zip.arrayBuffer();
  });

  it('do not come back, and later ones are numbered on', async () => {
    const id = await fixture.store({ days: 40, events: 5 });
    await fixture.announcedRun();
    const events = fixture.app.app.get(EventRepository, { strict: false });
    expect(await events.lastLogged(id)).toBe('event-5');
    expect(await events.total(id)).toBe(0);
    const at = (days: number): Date => new Date(Date.now() - days * 86_400_000);
    const added = await fixture.db.transaction((transaction) =>
      events.add(transaction, id, [event('event-3', at(41)), event('new', at(0))]),
    );
    expect(added.map((each) => each.id)).toEqual(['new']);
    expect(await events.isRemoved(id, at(41))).toBe(true);
    expect(await events.lastLogged(id)).toBe('new');
    expect(await events.total(id)).toBe(1);
    expect((await search(id)).items.map((each) => each.id)).toEqual(['new']);
    const seq = await fixture.db.query<object[]>('SELECT seq::int FROM events WHERE conversation_id = $1', [
      id,
    ]);
    expect(seq).toEqual([{ seq: 6 }]);
    expect(await fixture.db.query(BYTES)).toEqual([{ org: true, logs: true }]);
  });

  it('stay from where the conversation became active again', async () => {
    const id = await fixture.store({ days: 40, events: 4_500 });
    await fixture.run();
    await fixture.weekLater();
    await fixture.db.query(
      `CREATE FUNCTION wake() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         UPDATE conversations SET updated_at = now() WHERE id = NEW.conversation_id; RETURN NULL; END $$`,
    );
    await fixture.db.query(
      `CREATE TRIGGER wake AFTER UPDATE ON event_logs FOR EACH ROW EXECUTE FUNCTION wake()`,
    );
    expect(await fixture.run()).toMatchObject({ removed: { events: { items: 2_000 } } });
    await fixture.db.query('DROP TRIGGER wake ON event_logs');
    await fixture.db.query('DROP FUNCTION wake');
    const [left] = await fixture.db.query<object[]>(
      'SELECT count(*)::int, min(seq)::int FROM events WHERE conversation_id = $1',
      [id],
    );
    expect(left).toEqual({ count: 2_500, min: 2_001 });
    expect(await fixture.db.query(BYTES)).toEqual([{ org: true, logs: true }]);
  });

  it('go with messages and deliveries that are done, after the days of their own', async () => {
    await fixture.keep({ events_days: 300, messages_days: 10, deliveries_days: 20 });
    const id = await fixture.store({ days: 12, messages: ['delivered', 'failed', 'cancelled'] });
    await fixture.store({ days: 9, messages: ['delivered'] });
    await fixture.store({ days: 12, messages: ['delivered', 'delivering'] });
    await fixture.store({ days: 12, messages: ['delivered'], sandbox: 'RUNNING' });
    const [hook] = await fixture.db.query<[{ id: string }]>(
      `INSERT INTO webhooks (id, org_id, url, kinds, sealed_secret) VALUES (gen_random_uuid(), $1, 'https://a.example', '{*}', '')
       RETURNING id`,
      [fixture.orgId],
    );
    await fixture.db.query(
      `INSERT INTO webhook_deliveries (id, webhook_id, lane, type, data, occurred_at, expires_at, state, created_at, completed_at)
       SELECT gen_random_uuid(), $1, $2, 'conversation.deleted', '{"a":1}', now(), now(), state, now() - days * interval '1 day',
              CASE WHEN state <> 'pending' THEN now() - days * interval '1 day' END
         FROM (VALUES ('delivered', 21), ('failed', 22), ('delivered', 19), ('pending', 30)) d (state, days)`,
      [hook.id, id],
    );
    expect(await fixture.run()).toMatchObject({
      removed: { messages: { items: 3 }, deliveries: { items: 2, bytes: 14 } },
    });
    const left = await fixture.db.query<{ state: string }[]>(
      'SELECT state FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY created_at',
      [hook.id],
    );
    expect(left.map(({ state }) => state)).toEqual(['pending', 'delivered']);
  });

  it('what paused sandboxes of a person under a legal hold keep stays', async () => {
    await fixture.keep({ archives_days: 15 });
    const sandbox = await fixture.sandbox('PAUSED', 16);
    await fixture.db.query(
      `INSERT INTO legal_holds (id, org_id, user_id, reason, created_by_user_id)
       SELECT gen_random_uuid(), org_id, created_by_user_id, 'A case', created_by_user_id FROM sandboxes WHERE id = $1`,
      [sandbox],
    );
    const left = async () =>
      fixture.db.query<object[]>('SELECT id FROM sandboxes WHERE id = $1 AND stopping IS NULL', [sandbox]);
    await fixture.announcedRun();
    expect(await left()).toHaveLength(1);
    await fixture.db.query('DELETE FROM legal_holds');
    await fixture.announcedRun();
    expect(await left()).toEqual([]);
  });

  it('what paused sandboxes keep goes, unless something of them is in use', async () => {
    await fixture.keep({ archives_days: 15 });
    const gone = await fixture.sandbox('PAUSED', 16);
    const failed = await fixture.sandbox('ERROR', 16);
    await fixture.sandbox('PAUSED', 14);
    await fixture.sandbox('RUNNING', 16);
    await fixture.sandbox('PAUSED', 16, 'pause');
    const idle = await fixture.store({ days: 16, events: 2 });
    await fixture.store({ days: 16, messages: ['queued'] });
    const active = await fixture.store({ days: 16 });
    await fixture.db.query('UPDATE conversations SET updated_at = now() WHERE id = $1', [active]);
    expect(await fixture.announcedRun()).toMatchObject({ removed: { archives: { items: 3 } } });
    const stopping = await fixture.db.query<{ id: string }[]>(
      `SELECT id FROM sandboxes WHERE org_id = $1 AND stopping = 'delete'`,
      [fixture.orgId],
    );
    const [own] = await fixture.db.query<[{ id: string }]>(
      'SELECT sandbox_id AS id FROM conversations WHERE id = $1',
      [idle],
    );
    expect(stopping.map(({ id }) => id).sort()).toEqual([gone, failed, own.id].sort());
    expect(await fixture.listed()).toContain(idle);
    expect((await search(idle)).items).toHaveLength(2);
  });
});

describe('events that the agent server still has', () => {
  let service: ConversationService;
  beforeAll(async () => (service = await ConversationService.start()));
  afterAll(() => service.close());

  it('are not stored again when the sandbox runs again, nor asked for one by one', async () => {
    const { db } = service.app;
    const id = await service.ready({ initial_message: { content: [{ type: 'text', text: 'hello' }] } });
    await service.texts(id, 'agent', 1);
    const before = await service.events(id);
    const { sandbox_id } = await service.record(id);
    const sandboxes = `/api/v1/sandboxes/${sandbox_id}`;
    await service.call('POST', `${sandboxes}/pause`);
    // It shows as paused while it is being paused.
    const paused = `SELECT 1 FROM sandboxes WHERE id = $1 AND status = 'PAUSED' AND stopping IS NULL`;
    await eventually(async () => expect(await db.query(paused, [sandbox_id])).toHaveLength(1), 20_000);

    const path = `/api/organizations/${service.owner.orgId}/retention`;
    await service.call('PUT', path, { body: { events_days: 30 } });
    const runs = service.app.app.get(RetentionRuns, { strict: false });
    await eventually(async () => {
      // What the sandbox told at last may come after it was paused, and is something that happened just now.
      for (const [table, column] of [
        ['conversations', 'updated_at'],
        ['sandboxes', 'last_activity_at'],
        ['pending_messages', 'delivered_at'],
      ])
        await db.query(`UPDATE ${table} SET ${column} = now() - interval '31 days'`);
      await runs.run(service.owner.orgId, 'system');
      await db.query(`UPDATE retention_announcements SET announced_at = announced_at - interval '8 days'`);
      // By this run, or by that of the service's own job.
      await runs.run(service.owner.orgId, 'system');
      expect(await service.events(id)).toEqual([]);
    });

    await service.call('POST', `${sandboxes}/resume`);
    await eventually(async () => expect((await service.record(id)).sandbox_status).toBe('RUNNING'), 20_000);
    const one = await service.call('GET', `/api/conversations/${id}/events/${before[0]!.id}`);
    expect(one).toMatchObject({ status: 404, body: { code: 'event_not_found' } });
    await service.call('POST', `/api/v1/app-conversations/${id}/send-message`, {
      body: { role: 'user', content: [{ type: 'text', text: 'again' }] },
    });
    expect((await service.texts(id, 'agent', 1))[0]).toContain('again');
    const ids = new Set(before.map((each) => each.id));
    expect((await service.events(id)).filter((each) => ids.has(each.id))).toEqual([]);
  });
});
