import { randomUUID } from 'node:crypto';
import { ComposedMarketplaces } from '../../src/agents/app-settings/settings/stored-settings';
import { DoubledService } from '../support/agent-server/doubled-service';
import { saying } from '../support/queue/queued-messages';
import { makeKey, makeMember, makeOrg, makeUser, type TestUser } from '../support/service/factories';
import { type HttpResponse, call } from '../support/service/http';

type KeyName = 'A' | 'B' | 'unbound';

interface Person {
  readonly user: TestUser;
  readonly a: string;
  readonly b: string;
  /** Bound to organization A, bound to B, and unbound. */
  readonly keys: Readonly<Record<KeyName, string>>;
}

const KEYS: readonly KeyName[] = ['A', 'B', 'unbound'];

describe('a key that is bound to an organization', () => {
  let doubled: DoubledService;

  beforeAll(async () => (doubled = await DoubledService.start()));
  afterAll(() => doubled.close());

  const db = () => doubled.service.app.db;

  /** An admin of two organizations, of which A is the current one. */
  async function person(): Promise<Person> {
    const [a, b] = await Promise.all([makeOrg(db()), makeOrg(db())]);
    const user = await makeUser(db(), { currentOrgId: a.id });
    for (const { id } of [a, b]) await makeMember(db(), id, 'admin', user);
    const [inA, inB, unbound] = await Promise.all([
      makeKey(db(), user.id, { orgId: a.id }),
      makeKey(db(), user.id, { orgId: b.id }),
      makeKey(db(), user.id),
    ]);
    return { user, a: a.id, b: b.id, keys: { A: inA.key, B: inB.key, unbound: unbound.key } };
  }

  const use = <Body = unknown>(
    key: string,
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<HttpResponse<Body>> => call<Body>(doubled.service.app, method, path, { key, ...options });

  const effective = async (key: string): Promise<string> =>
    (await use<{ org_id: string }>(key, 'GET', '/api/keys/current')).body.org_id;

  describe('switches', () => {
    it.each([
      ['A', 'A', 200, 'A'],
      ['A', 'B', 403, 'A'],
      ['B', 'A', 403, 'A'],
      ['B', 'B', 200, 'A'],
      ['unbound', 'A', 200, 'A'],
      ['unbound', 'B', 200, 'B'],
    ] as const)(
      '%s to organization %s: %i, and unbound keys act in %s',
      async (name, to, status, current) => {
        const { keys, a, b } = await person();
        const response = await use(keys[name], 'POST', `/api/organizations/${to === 'A' ? a : b}/switch`);
        expect(response.status).toBe(status);
        expect(await effective(keys.unbound)).toBe(current === 'A' ? a : b);
        expect([await effective(keys.A), await effective(keys.B)]).toEqual([a, b]);
      },
    );
  });

  describe('saves settings of its user', () => {
    const save = (key: string, name: string, lastKnown: string | null = null) =>
      use<{ updated_at: string }>(key, 'POST', '/api/users/app', {
        body: {
          registered_marketplaces: [{ name, source: 'github:acme/shop' }],
          last_known_updated_at: lastKnown,
        },
      });

    const names = async (key: string): Promise<string[]> => {
      const { body } = await use<{ registered_marketplaces: { name: string }[] }>(
        key,
        'GET',
        '/api/users/app',
      );
      return body.registered_marketplaces.map(({ name }) => name);
    };

    it.each([
      ['A', { A: ['saved'], B: ['general'], unbound: ['general'] }],
      ['B', { A: ['general'], B: ['saved'], unbound: ['general'] }],
      ['unbound', { A: ['saved'], B: ['saved'], unbound: ['saved'] }],
    ] as const)('with %s, which then hold so: %j', async (name, expected) => {
      const { keys, user, a, b } = await person();
      expect((await save(keys.unbound, 'general')).status).toBe(200);
      expect((await save(keys[name], 'saved')).status).toBe(200);
      const seen = await Promise.all(KEYS.map((each) => names(keys[each])));
      expect(Object.fromEntries(KEYS.map((each, index) => [each, seen[index]]))).toEqual(expected);
      const composed = doubled.service.app.app.get(ComposedMarketplaces, { strict: false });
      const inOrg = async (orgId: string): Promise<string[]> =>
        (await composed.forConversation({ orgId, userId: user.id, byLink: false })).marketplaces.map(
          (found) => found.name,
        );
      expect([await inOrg(a), await inOrg(b)]).toEqual([expected.A, expected.B]);
    });

    it('keeps them when the general ones change, and checks the version that it read', async () => {
      const { keys } = await person();
      const general = (await save(keys.unbound, 'general')).body.updated_at;
      const own = await save(keys.A, 'own', general);
      expect(own.status).toBe(200);
      expect((await save(keys.A, 'stale', general)).status).toBe(409);
      expect((await save(keys.unbound, 'newer', general)).status).toBe(200);
      expect([await names(keys.A), await names(keys.B)]).toEqual([['own'], ['newer']]);
    });
  });

  describe('queues messages for a conversation to come', () => {
    const queue = (id: string) => `/api/v1/conversations/${id}/pending-messages`;
    const texts = async (key: string, id: string): Promise<unknown[]> => {
      const { body } = await use<{ items: { content: { text: string }[] }[] }>(
        key,
        'GET',
        `${queue(id)}?state=queued&state=delivering&state=delivered`,
      );
      return body.items.flatMap(({ content }) => content.map(({ text }) => text));
    };

    it('that its organization alone sees, and an unbound key where it acts', async () => {
      const { keys, b } = await person();
      const id = randomUUID();
      const headers = { 'Idempotency-Key': 'the same' };
      for (const name of ['A', 'B'] as const)
        expect(
          (await use(keys[name], 'POST', queue(id), { body: saying(`from ${name}`), headers })).status,
        ).toBe(200);
      expect([await texts(keys.A, id), await texts(keys.B, id)]).toEqual([['from A'], ['from B']]);
      expect(await texts(keys.unbound, id)).toEqual(['from A']);
      const elsewhere = await use<{ items: unknown[] }>(keys.unbound, 'GET', queue(id), {
        headers: { 'X-Org-Id': b },
      });
      expect(elsewhere.body.items).toMatchObject([{ content: [{ text: 'from B' }] }]);
    });

    it('that are delivered to a conversation of its organization only', async () => {
      const { keys, b } = await person();
      const id = randomUUID();
      await use(keys.A, 'POST', queue(id), { body: saying('for A') });
      await use(keys.B, 'POST', queue(id), { body: saying('for B') });
      const started = await use(keys.B, 'POST', '/api/v1/app-conversations', {
        body: { conversation_id: id },
      });
      expect(started.status).toBe(200);
      expect(await texts(keys.B, id)).toEqual(['for B']);
      const rows = await db().query<{ org_id: string }[]>('SELECT org_id FROM conversations WHERE id = $1', [
        id,
      ]);
      expect(rows).toEqual([{ org_id: b }]);
      expect((await use(keys.A, 'GET', queue(id))).status).toBe(404);
    });
  });

  it('ends with the membership, and does not come back with a new one', async () => {
    const { keys, user, a } = await person();
    const owner = await makeMember(db(), a, 'owner');
    const { key } = await makeKey(db(), owner.id);
    const removed = await use(key, 'DELETE', `/api/organizations/${a}/members/${user.id}`);
    expect(removed.status).toBe(200);
    const status = async (name: KeyName): Promise<number> =>
      (await use(keys[name], 'GET', '/api/organizations')).status;
    expect([await status('A'), await status('B'), await status('unbound')]).toEqual([401, 200, 200]);
    await makeMember(db(), a, 'member', user);
    expect(await status('A')).toBe(401);
  });
});
