import { randomUUID } from 'node:crypto';
import { Directory, personCalled } from '../../support/scim/directory';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** What all objects share; where tests run, copies of objects share something of their own. */
const SHARED: readonly object[] = [{}, structuredClone({})].map(
  (object) => Reflect.getPrototypeOf(object) ?? {},
);

let app: TestApp;
let ours: Directory;
let theirs: Directory;
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  [ours, theirs] = [await Directory.make(app), await Directory.make(app)];
});
afterAll(() => app.close());

const tokensOf = ({ orgId }: { readonly orgId: string }) => `/api/organizations/${orgId}/scim-tokens`;

describe('a token of a directory', () => {
  const make = (caller: TestCaller, body: object = { name: 'A directory' }) =>
    call<ErrorBody & { id: string; token: string; prefix: string; base_url: string }>(
      app,
      'POST',
      tokensOf(caller),
      {
        key: caller.key,
        body,
      },
    );

  it('is shown once, and known by its beginning and its last use', async () => {
    const own = await Directory.make(app);
    const { status, body } = await make(own.owner, { name: ' Entra ID ' });
    expect([status, body.token]).toEqual([201, expect.stringMatching(/^ocs_scim_[0-9A-Za-z]{38}$/)]);
    expect(body.base_url).toMatch(/\/scim\/v2$/);
    await own.sent('GET', '/Users');
    const listed = await call<object[]>(app, 'GET', tokensOf(own), { key: own.owner.key });
    expect(listed.body).toEqual([
      expect.objectContaining({ name: 'A directory', last_used_at: expect.any(String) as unknown }),
      expect.objectContaining({ name: 'Entra ID', last_used_at: null, prefix: body.token.slice(0, 15) }),
    ]);
    expect(JSON.stringify(listed.body)).not.toContain(body.token);
    const [row] = await app.db.query<object[]>('SELECT * FROM scim_tokens WHERE id = $1', [body.id]);
    expect(JSON.stringify(row)).not.toContain(body.token);
  });

  it('is made by owners only, at most ten, and for the future', async () => {
    const own = await Directory.make(app);
    const admin = await makeCaller(app.db, own.orgId, 'admin');
    expect((await make(admin)).body.code).toBe('permission_denied');
    const past = await make(own.owner, { name: 'x', expires_at: '2020-01-01T00:00:00Z' });
    expect([past.status, past.body.code]).toEqual([400, 'scim_token_expiry_invalid']);
    for (let n = 1; n < 10; n++) expect((await make(own.owner)).status).toBe(201);
    const beyond = await make(own.owner);
    expect([beyond.status, beyond.body.code]).toEqual([409, 'too_many_scim_tokens']);
  });

  it('is made by no key that can do less than its user, or for a time', async () => {
    const { owner } = await Directory.make(app);
    const scoped = await makeKey(app.db, owner.userId, { scopes: ['manage_scim'] });
    const ending = await makeKey(app.db, owner.userId, { expiresAt: new Date(Date.now() + 60_000) });
    expect((await make({ ...owner, key: scoped.key })).body.code).toBe('key_exceeds_maker');
    expect((await make({ ...owner, key: ending.key })).body.code).toBe('key_outlives_maker');
  });

  it('ends when it is revoked, or at its end', async () => {
    const own = await Directory.make(app);
    await app.db.query(`UPDATE scim_tokens SET expires_at = now() WHERE org_id = $1`, [own.orgId]);
    expect((await own.send('GET', '/Users')).status).toBe(401);
    await app.db.query(`UPDATE scim_tokens SET expires_at = NULL WHERE org_id = $1`, [own.orgId]);
    expect((await own.send('GET', '/Users')).status).toBe(200);
    const { body } = await call<{ id: string }[]>(app, 'GET', tokensOf(own), { key: own.owner.key });
    const path = `${tokensOf(own)}/${body[0]?.id}`;
    expect((await call(app, 'DELETE', path, { key: theirs.owner.key })).status).toBe(403);
    expect((await call(app, 'DELETE', path, { key: own.owner.key })).status).toBe(200);
    expect((await call(app, 'DELETE', path, { key: own.owner.key })).status).toBe(404);
    const { status, headers, body: error } = await own.send('GET', '/Users');
    expect([status, error]).toEqual([
      401,
      { schemas: [ERROR], status: '401', detail: expect.any(String) as unknown, code: 'not_authenticated' },
    ]);
    expect(headers['content-type']).toMatch(/^application\/scim\+json/);
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  it('is no key anywhere else, and no key is one here', async () => {
    for (const headers of [{ Authorization: `Bearer ${ours.token}` }, { 'X-Access-Token': ours.token }])
      for (const path of ['/api/keys/current', `/api/organizations/${ours.orgId}/members`])
        expect([path, (await call(app, 'GET', path, { headers })).status]).toEqual([path, 401]);
    const bound = await makeKey(app.db, ours.owner.userId, { orgId: ours.orgId });
    const others = [
      { Authorization: `Bearer ${ours.owner.key}` },
      { Authorization: `Bearer ${bound.key}` },
      { 'X-Access-Token': ours.token },
      { 'X-Session-API-Key': ours.token },
      {},
    ];
    for (const headers of others)
      expect((await call(app, 'GET', '/scim/v2/Users', { headers })).status).toBe(401);
  });

  it('sees and changes nothing of another organization', async () => {
    const person = await theirs.person('person@example.com');
    const group = await theirs.sent('POST', '/Groups', {
      displayName: 'Theirs',
      members: [{ value: person.id }],
    });
    const operations = { Operations: [{ op: 'replace', path: 'displayName', value: 'Ours' }] };
    for (const path of [`/Users/${person.id}`, `/Groups/${group.id}`])
      for (const [method, body] of [
        ['GET', undefined],
        ['PUT', personCalled('person@example.com', { displayName: 'Ours' })],
        ['PATCH', operations],
        ['DELETE', undefined],
      ] as const) {
        const { status } = await ours.send(method, path, body);
        expect([method, path, status]).toEqual([method, path, 404]);
      }
    const mine = await ours.send('POST', '/Groups', { displayName: 'Ours', members: [{ value: person.id }] });
    expect([mine.status, mine.body.scimType]).toEqual([400, 'invalidValue']);
    for (const path of ['/Users', '/Groups', `/Users?filter=${encodeURIComponent('userName pr')}`])
      expect(JSON.stringify((await ours.send('GET', path)).body)).not.toMatch(/person@example|Theirs/);
    const roles = `/api/organizations/${ours.orgId}/scim-groups/${group.id}`;
    const { status } = await call(app, 'PUT', roles, { key: ours.owner.key, body: { role: 'admin' } });
    expect(status).toBe(404);
    expect((await theirs.sent('GET', `/Groups/${group.id}`)).members).toHaveLength(1);
  });
});

/** As many names as asked for. */
const keys = (count: number): string[] => Array.from({ length: count }, (_, n) => `k${n}`);

describe('what the protocol has', () => {
  it('is described: what there is, what it is made of, what is left out', async () => {
    expect((await ours.sent('GET', '/ServiceProviderConfig')) as unknown).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: false },
      etag: { supported: true },
    });
    const types = await ours.sent('GET', '/ResourceTypes');
    expect(types.Resources.map(({ id }) => id)).toEqual(['User', 'Group']);
    const { Resources } = await ours.sent('GET', '/Schemas');
    for (const { id } of Resources) expect((await ours.sent('GET', `/Schemas/${id}`)).id).toBe(id);
    const left = [];
    for (const [method, path] of [
      ['POST', '/Bulk'],
      ['GET', '/Me'],
      ['POST', '/.search'],
      ['GET', '/Nothing'],
      ['PUT', '/Users'],
    ])
      left.push((await ours.send(method ?? '', path ?? '', method === 'GET' ? undefined : {})).status);
    expect(left).toEqual([501, 501, 501, 404, 405]);
  });

  it('has pages, and what is asked for of each resource', async () => {
    const own = await Directory.make(app);
    for (let n = 0; n < 5; n++) await own.person(`page-${n}@example.com`, { title: 'Engineer' });
    const page = await own.sent('GET', '/Users?startIndex=4&count=3&attributes=userName,emails.value');
    expect([page.totalResults, page.startIndex, page.itemsPerPage]).toEqual([5, 4, 2]);
    expect(page.Resources[0]).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: expect.any(String) as unknown,
      userName: 'page-3@example.com',
      emails: [{ value: 'page-3@example.com' }],
    });
    const without = await own.sent('GET', '/Users?startIndex=-1&excludedAttributes=emails,meta,title');
    expect(Object.keys(without.Resources[0] ?? {})).toEqual(['schemas', 'id', 'userName', 'active']);
    const none = await own.sent('GET', '/Users?count=0');
    expect([none.totalResults, none.Resources]).toEqual([5, []]);
    const found = await own.sent('POST', '/Users/.search', { filter: 'title eq "engineer"', count: 2 });
    expect([found.totalResults, found.itemsPerPage]).toEqual([5, 2]);
    expect((await own.send('GET', '/Users?count=many')).status).toBe(400);
    for (const asked of ['attributes', 'excludedAttributes']) {
      const statuses = [];
      for (const count of [100, 101])
        statuses.push((await own.send('POST', '/Users/.search', { [asked]: keys(count) })).status);
      expect([asked, statuses]).toEqual([asked, [200, 400]]);
    }
  });

  it('tells states apart: an older one is not changed', async () => {
    const { id, meta } = await ours.person('tagged@example.com');
    const change = (tag: string) =>
      ours.send(
        'PATCH',
        `/Users/${id}`,
        { Operations: [{ op: 'add', path: 'title', value: tag }] },
        { 'If-Match': tag },
      );
    expect((await change(meta.version)).headers['etag']).toBe('W/"2"');
    expect((await change(meta.version)).status).toBe(412);
    const cached = await ours.send('GET', `/Users/${id}`, undefined, { 'If-None-Match': 'W/"2"' });
    expect(cached.status).toBe(304);
  });

  it('knows no other state of what is said again, in whatever order', async () => {
    const person = personCalled('again@example.com', { title: 'T', name: { givenName: 'A' } });
    const group = { displayName: 'Again', externalId: '1' };
    for (const [path, said] of [
      ['/Users', person],
      ['/Groups', group],
    ] as const) {
      const { id, meta } = await ours.sent('POST', path, said);
      expect((await ours.sent('PUT', `${path}/${id}`, said)).meta).toEqual(meta);
    }
  });

  it.each([
    ['userName', 400, 'invalidFilter'],
    ['userName eq', 400, 'invalidFilter'],
    ['colour eq "green"', 400, 'invalidFilter'],
    ['active gt true', 400, 'invalidFilter'],
    ['meta.lastModified gt "yesterday"', 400, 'invalidFilter'],
    ['emails[colour eq "x"]', 400, 'invalidFilter'],
    ['constructor eq "x"', 400, 'invalidFilter'],
    [`userName eq "${'x'.repeat(2_000)}"`, 400, 'invalidFilter'],
    [Array.from({ length: 51 }, () => 'userName pr').join(' or '), 400, 'invalidFilter'],
    [`${'('.repeat(990)}userName pr${')'.repeat(990)}`, 200, undefined],
    [`userName eq "'; DROP TABLE users; --"`, 200, undefined],
    ['userName eq "\\u0000"', 200, undefined],
  ])('answers the filter %s with %d', async (filter, status, scimType) => {
    const response = await ours.send('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect([response.status, response.body.scimType]).toEqual([status, scimType]);
  });

  it.each([
    ['no operations', {}, 'invalidSyntax'],
    ['an unknown one', { Operations: [{ op: 'move', path: 'title' }] }, 'invalidSyntax'],
    ['nothing to remove', { Operations: [{ op: 'remove' }] }, 'noTarget'],
    ['a path that is none', { Operations: [{ op: 'replace', path: 'emails[', value: 'x' }] }, 'invalidPath'],
    ['a prototype', { Operations: [{ op: 'add', path: '__proto__.polluted', value: 'x' }] }, 'invalidPath'],
    [
      'a filter that is none',
      { Operations: [{ op: 'add', path: 'emails[x].value', value: 'x' }] },
      'invalidPath',
    ],
    ['the id', { Operations: [{ op: 'replace', path: 'groups', value: [] }] }, 'mutability'],
    ['no name', { Operations: [{ op: 'remove', path: 'userName' }] }, 'invalidValue'],
  ])('refuses a PATCH with %s', async (_, body, scimType) => {
    const { Resources } = await ours.sent('GET', '/Users?count=1');
    const { status, body: error } = await ours.send('PATCH', `/Users/${Resources[0]?.id}`, body);
    expect([status, error.scimType]).toEqual([400, scimType]);
  });

  it.each([
    ['title', 'title'],
    ['name', 'name.givenName'],
    ['phoneNumbers', 'phoneNumbers'],
    ['phoneNumbers[type eq "work"]', 'phoneNumbers'],
    [`${ENTERPRISE}:manager`, `${ENTERPRISE}:manager`],
  ])('has nothing any more of what a PATCH replaces by null: %s', async (path, asked) => {
    const name = `${randomUUID()}@example.com`;
    const { id } = await ours.person(name, {
      title: 'T',
      name: { givenName: 'A' },
      phoneNumbers: [{ type: 'work', value: '1' }],
      [ENTERPRISE]: { manager: { value: '1' } },
    });
    const found = () => ours.found(`userName eq "${name}" and ${asked} pr`);
    expect(await found()).toEqual([name]);
    await ours.sent('PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', path, value: null }] });
    expect(await found()).toEqual([]);
  });

  it('makes no properties of objects out of paths and keys', async () => {
    const { id } = await ours.person('polluter@example.com', {
      name: { givenName: 'P' },
      [ENTERPRISE]: { manager: { value: '1' } },
    });
    const value: unknown = JSON.parse('{"__proto__": {"polluted": 1}, "constructor.prototype.polluted": 1}');
    for (const operation of [
      { op: 'add', path: 'constructor.prototype.polluted', value: 1 },
      { op: 'add', path: 'urn:x:constructor', value: { prototype: { polluted: 1 } } },
      { op: 'add', path: 'name.__proto__', value: { polluted: 1 } },
      { op: 'add', value },
      ...['name', 'emails[type eq "work"]', `${ENTERPRISE}:manager`].flatMap((path) => [
        { op: 'add', path, value: { '__proto__.polluted': 1 } },
        { op: 'replace', path, value: { 'constructor.prototype.polluted': 1 } },
      ]),
    ])
      await ours.send('PATCH', `/Users/${id}`, { Operations: [operation] });
    const polluted = SHARED.filter((shared) => Object.hasOwn(shared, 'polluted'));
    for (const shared of polluted) Reflect.deleteProperty(shared, 'polluted');
    expect(polluted).toHaveLength(0);
  });

  it('takes nothing from what all objects share where attributes are left out', async () => {
    for (const shared of SHARED)
      Object.defineProperty(shared, 'probe', { configurable: true, value: 'a probe' });
    const { id } = await ours.person('remover@example.com', { name: { givenName: 'R' } });
    for (const path of ['__proto__.probe', 'name.__proto__.probe', 'constructor.prototype.probe'])
      await ours.sent('GET', `/Users/${id}?excludedAttributes=${path}`);
    const kept = SHARED.filter((shared) => Reflect.get(shared, 'probe') === 'a probe');
    for (const shared of SHARED) Reflect.deleteProperty(shared, 'probe');
    expect(kept).toHaveLength(SHARED.length);
  });

  it('answers malformed JSON and bodies that are too large in its own form', async () => {
    const malformed = await call(app, 'POST', '/scim/v2/Users', {
      headers: { Authorization: `Bearer ${ours.token}` },
      raw: '{"userName": ',
    });
    expect([malformed.status, malformed.body]).toEqual([
      400,
      expect.objectContaining({ schemas: [ERROR], scimType: 'invalidSyntax' }),
    ]);
    const large = await ours.send('POST', '/Users', { userName: 'x'.repeat(1_100_000) });
    expect([large.status, large.body.schemas]).toEqual([413, [ERROR]]);
  });
});
