import { startTestApp, type TestApp } from '../../support/service/app';
import { makeKey } from '../../support/service/factories';
import { WebhookOrg, type WebhookBody } from '../../support/webhooks/webhook-org';

interface PageBody {
  readonly items: readonly WebhookBody[];
  readonly next_page_id: string | null;
}

const UUID = /^[0-9a-f-]{36}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const FIELDS = { url: 'https://hooks.example/x', kinds: ['*'] };
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const CONVERSATION = 'd8a5f6f2-3f0b-4c7e-9a55-0f6f8f3e2b1c';

let app: TestApp;
// No worker: nothing is sent.
beforeAll(async () => (app = await startTestApp({ env: { APP_ROLE: 'api' } })));
afterAll(() => app.close());

describe('a webhook', () => {
  it('is made with what is said of it, and shows its secret once', async () => {
    const org = await WebhookOrg.make(app);
    const fields = {
      url: 'https://hooks.example/x?a=b',
      description: 'Reports',
      kinds: ['conversation.*', 'MessageEvent', 'a.kind.of_tomorrow', 'MessageEvent'],
      conversation_ids: [CONVERSATION.replaceAll('-', '').toUpperCase(), CONVERSATION],
      tags: { team: 'tools' },
    };
    const { status, body } = await org.send('POST', [], fields);
    const { secret, ...shown } = body;
    expect({ status, shown }).toEqual({
      status: 201,
      shown: {
        id: expect.stringMatching(UUID) as string,
        url: fields.url,
        description: 'Reports',
        kinds: ['conversation.*', 'MessageEvent', 'a.kind.of_tomorrow'],
        conversation_ids: [CONVERSATION],
        tags: { team: 'tools' },
        enabled: true,
        disabled_reason: null,
        disabled_at: null,
        failing_since: null,
        previous_secret_until: null,
        created_by_user_id: org.admin.userId,
        created_at: expect.stringMatching(TIME) as string,
        updated_at: expect.stringMatching(TIME) as string,
      },
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await org.send('GET', [body.id])).toMatchObject({ status: 200, body: shown });
    expect((await org.send<PageBody>('GET', [])).body).toEqual({ items: [shown], next_page_id: null });
    const rows = await app.db.query<unknown[]>('SELECT * FROM webhooks WHERE id = $1', [body.id]);
    const later = [await org.send('GET', [body.id]), await org.send('PATCH', [body.id], {}), rows];
    expect(JSON.stringify(later)).not.toContain(secret);
  });

  it('hears of everything in all conversations unless filters are given', async () => {
    const org = await WebhookOrg.make(app);
    expect(await org.webhook()).toMatchObject({ description: '', conversation_ids: null, tags: null });
  });

  it('changes in what is present in a PATCH only', async () => {
    const org = await WebhookOrg.make(app);
    const made = (await org.send('GET', [(await org.webhook({ tags: { a: 'b' } })).id])).body;
    expect((await org.send('PATCH', [made.id], {})).body).toEqual(made);
    expect((await org.send('PATCH', [made.id], { url: FIELDS.url, kinds: ['*'] })).body).toEqual(made);
    const changed = await org.send('PATCH', [made.id], { kinds: ['message.*'], description: 'Other' });
    expect(changed.body).toEqual({
      ...made,
      kinds: ['message.*'],
      description: 'Other',
      updated_at: expect.stringMatching(TIME) as string,
    });
    const other = await org.send('PATCH', [made.id], {
      url: 'https://Hooks.Example/ä',
      conversation_ids: [CONVERSATION],
      tags: null,
    });
    expect(other.body).toMatchObject({
      url: 'https://hooks.example/%C3%A4',
      conversation_ids: [CONVERSATION],
      tags: null,
      kinds: ['message.*'],
    });
    for (const body of [{ url: null }, { kinds: null }, { description: null }, { kinds: [] }])
      expect((await org.send('PATCH', [made.id], body)).status).toBe(422);
  });

  it('is not failing any more at another address', async () => {
    const org = await WebhookOrg.make(app);
    const { id } = await org.webhook();
    await app.db.query('UPDATE webhooks SET failing_since = now() WHERE id = $1', [id]);
    expect((await org.send('PATCH', [id], { kinds: ['a'] })).body.failing_since).toMatch(TIME);
    expect((await org.send('PATCH', [id], { url: 'https://new.example/' })).body.failing_since).toBeNull();
  });

  it('is deleted once', async () => {
    const org = await WebhookOrg.make(app);
    const { id } = await org.webhook();
    await org.send('POST', [id, 'test']);
    expect(await org.send('DELETE', [id])).toMatchObject({ status: 200, body: { success: true } });
    expect(await org.send('DELETE', [id])).toMatchObject({
      status: 404,
      body: { code: 'webhook_not_found' },
    });
    expect((await org.send<PageBody>('GET', [])).body.items).toEqual([]);
    expect(await app.db.query('SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1', [id])).toEqual([]);
  });

  it('is disabled and enabled, as often as one likes', async () => {
    const org = await WebhookOrg.make(app);
    const { id } = await org.webhook();
    const disabled = await org.send('POST', [id, 'disable']);
    expect(disabled).toMatchObject({
      status: 200,
      body: {
        enabled: false,
        disabled_reason: 'by_request',
        disabled_at: expect.stringMatching(TIME) as string,
      },
    });
    expect((await org.send('POST', [id, 'disable'])).body).toEqual(disabled.body);
    await app.db.query('UPDATE webhooks SET failing_since = now() WHERE id = $1', [id]);
    const enabled = await org.send('POST', [id, 'enable']);
    expect(enabled).toMatchObject({
      status: 200,
      body: { enabled: true, disabled_reason: null, disabled_at: null, failing_since: null },
    });
    expect((await org.send('POST', [id, 'enable'])).body).toEqual(enabled.body);
  });

  it('gets a new secret by rotation, while the one before works for a day', async () => {
    const org = await WebhookOrg.make(app);
    const made = await org.webhook();
    const rotated = await org.send('POST', [made.id, 'rotate-secret']);
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rotated.body.secret).not.toBe(made.secret);
    const until = Date.parse(rotated.body.previous_secret_until ?? '') - Date.now();
    expect(until).toBeGreaterThan(23.9 * 3_600_000);
    expect(until).toBeLessThanOrEqual(24 * 3_600_000);
    const shown = await org.send('GET', [made.id]);
    expect(shown.body).toEqual({ ...rotated.body, secret: undefined });
    await app.db.query(`UPDATE webhooks SET previous_secret_until = now() WHERE id = $1`, [made.id]);
    expect((await org.send('GET', [made.id])).body.previous_secret_until).toBeNull();
  });

  it('is one of 50 at most, however many are made at once', async () => {
    const org = await WebhookOrg.make(app);
    const made = await Promise.all(Array.from({ length: 60 }, () => org.send('POST', [], FIELDS)));
    const refused = made.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 10 }, () => [409, 'too_many_webhooks']),
    );
    expect((await org.send<PageBody>('GET', [])).body.items).toHaveLength(50);
    const [first] = made.filter(({ status }) => status === 201);
    await org.send('DELETE', [first?.body.id ?? '']);
    expect((await org.send('POST', [], FIELDS)).status).toBe(201);
  });

  it('is listed once, in pages', async () => {
    const org = await WebhookOrg.make(app);
    const ids = new Set<string>();
    for (let n = 0; n < 5; n++) ids.add((await org.webhook()).id);
    const seen: string[] = [];
    for (let page: string | null = ''; page !== null;) {
      const query: string = page === '' ? '?limit=2' : `?limit=2&page_id=${page}`;
      const { body }: { body: PageBody } = await org.send<PageBody>('GET', [query]);
      expect(body.items.length).toBeLessThanOrEqual(2);
      seen.push(...body.items.map(({ id }) => id));
      page = body.next_page_id;
    }
    expect(seen).toEqual([...ids].sort());
    expect((await org.send('GET', ['?limit=0'])).status).toBe(422);
  });
});

/** Every operation on one webhook. */
const OPERATIONS = [
  ['GET', []],
  ['PATCH', [], {}],
  ['DELETE', []],
  ['POST', ['enable']],
  ['POST', ['disable']],
  ['POST', ['rotate-secret']],
  ['POST', ['test']],
  ['GET', ['deliveries']],
  ['GET', ['deliveries', UNKNOWN]],
  ['POST', ['deliveries', UNKNOWN, 'replay']],
  ['POST', ['replay'], { since: '2026-11-21T00:00:00Z' }],
] as const;

describe.each(OPERATIONS)('%s …/webhooks/{webhook_id}/%j', (method, below, body?: unknown) => {
  it('is a 404 for a webhook that is unknown, another organization’s or no id', async () => {
    const [org, other] = [await WebhookOrg.make(app), await WebhookOrg.make(app)];
    const foreign = await other.webhook();
    for (const id of [UNKNOWN, foreign.id, 'x', '%00'])
      expect(await org.send(method, [id, ...below], body)).toMatchObject({
        status: 404,
        body: { code: 'webhook_not_found' },
      });
    expect((await other.send('GET', [foreign.id])).body).toEqual({ ...foreign, secret: undefined });
  });

  it('is a 403 for members and for those of other organizations, and a 401 without a key', async () => {
    const [org, other] = [await WebhookOrg.make(app), await WebhookOrg.make(app)];
    const { id } = await org.webhook();
    const codeFor = async (key: string) => {
      const { status, body: answer } = await org.send(method, [id, ...below], body, key);
      return [status, answer.code];
    };
    expect(await codeFor(org.member.key)).toEqual([403, 'permission_denied']);
    expect(await codeFor(other.owner.key)).toEqual([403, 'not_a_member']);
    expect(await codeFor('wrong')).toEqual([401, 'not_authenticated']);
    const bound = await makeKey(app.db, other.owner.userId, { orgId: other.id });
    expect(await codeFor(bound.key)).toEqual([403, 'key_bound_to_other_organization']);
    expect((await org.send('GET', [id], undefined, org.owner.key)).status).toBe(200);
  });
});

describe.each([
  ['GET', undefined],
  ['POST', FIELDS],
] as const)('%s …/webhooks', (method, body) => {
  it('is for admins and owners', async () => {
    const [org, other] = [await WebhookOrg.make(app), await WebhookOrg.make(app)];
    const statusFor = async (key: string) => (await org.send(method, [], body, key)).status;
    expect(await statusFor(org.member.key)).toBe(403);
    expect(await statusFor(other.owner.key)).toBe(403);
    expect(await statusFor('wrong')).toBe(401);
    expect([await statusFor(org.admin.key), await statusFor(org.owner.key)]).toEqual(
      method === 'GET' ? [200, 200] : [201, 201],
    );
  });
});
