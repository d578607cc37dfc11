import { randomBytes, randomUUID } from 'node:crypto';
import { fill } from '../../support/database/fill';
import { Directory } from '../../support/scim/directory';
import { startTestApp, type TestApp } from '../../support/service/app';

let app: TestApp;
let directory: Directory;
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
});
afterAll(() => app.close());
beforeEach(async () => {
  directory = await Directory.make(app);
});

const items = <Item>(count: number, item: (n: number) => Item): Item[] =>
  Array.from({ length: count }, (_, n) => item(n));
const operations = (count: number) => items(count, () => ({ op: 'add', path: 'unknown', value: 1 }));
const values = (count: number) => [
  { op: 'add', value: Object.fromEntries(items(count, (n) => [`k${n}`, 1])) },
];
/** The operations of an extension that nobody knows, whose attributes are kept. */
const extension = (count: number) => [
  { op: 'add', value: { 'urn:x': Object.fromEntries(items(count, (n) => [`k${n}`, 1])) } },
];

/** What the database cannot shorten. */
const randomText = (length: number): string => randomBytes(length).toString('hex').slice(0, length);

describe('the limits of a directory', () => {
  it.each([
    ['operations', operations],
    ['keys of a value', values],
    ['attributes of an extension', extension],
  ])('are 500 %s of one PATCH of a person, of which nothing is done beyond', async (_, made) => {
    const { id } = await directory.person(`${randomUUID()}@example.com`, { title: 'Engineer' });
    const patch = (count: number) =>
      directory.send('PATCH', `/Users/${id}`, {
        Operations: [{ op: 'replace', path: 'title', value: `After ${count}` }, ...made(count - 1)],
      });
    const beyond = await patch(501);
    expect([beyond.status, beyond.body.scimType, beyond.body.schemas]).toEqual([
      400,
      'tooMany',
      ['urn:ietf:params:scim:api:messages:2.0:Error'],
    ]);
    expect(await directory.sent('GET', `/Users/${id}`)).toMatchObject({ title: 'Engineer' });
    expect((await patch(500)).status).toBe(200);
    expect(await directory.sent('GET', `/Users/${id}`)).toMatchObject({ title: 'After 500' });
  });

  it('are 5,000 operations of one PATCH of a group', async () => {
    const { id: value } = await directory.person(`${randomUUID()}@example.com`);
    const { id } = await directory.sent('POST', '/Groups', { displayName: 'All' });
    const patch = (count: number) =>
      directory.send('PATCH', `/Groups/${id}`, {
        Operations: items(count, () => ({ op: 'add', path: 'members', value: [{ value }] })),
      });
    const beyond = await patch(5_001);
    expect([beyond.status, beyond.body.scimType]).toEqual([400, 'tooMany']);
    expect((await patch(5_000)).status).toBe(204);
  });

  it('are 500 of them for others than its members', async () => {
    const { id } = await directory.sent('POST', '/Groups', { displayName: 'All' });
    const patch = (count: number) =>
      directory.send('PATCH', `/Groups/${id}`, {
        Operations: items(count, (n) => ({ op: 'replace', path: 'externalId', value: `${n}` })),
      });
    const beyond = await patch(501);
    expect([beyond.status, beyond.body.scimType]).toEqual([400, 'tooMany']);
    expect((await patch(500)).status).toBe(204);
  });

  it('are five comparisons in the brackets of a path', async () => {
    const emails = [{ value: `${randomUUID()}@example.com`, type: 'work' }];
    const { id } = await directory.person(`${randomUUID()}@example.com`, { emails });
    const patch = (count: number) =>
      directory.send('PATCH', `/Users/${id}`, {
        Operations: [
          {
            op: 'replace',
            path: `emails[${items(count, () => 'type eq "work"').join(' or ')}].display`,
            value: 'Work',
          },
        ],
      });
    const beyond = await patch(6);
    expect([beyond.status, beyond.body.scimType]).toEqual([400, 'invalidPath']);
    expect((await patch(5)).status).toBe(200);
  });

  it('are 16,384 bytes of one person or group', async () => {
    const large = { 'urn:x': { text: 'x'.repeat(16_384) } };
    for (const [path, resource] of [
      ['/Users', { userName: 'ada@example.com', ...large }],
      ['/Groups', { displayName: 'All', ...large }],
    ] as const) {
      const { status, body } = await directory.send('POST', path, resource);
      expect([path, status, body.scimType]).toEqual([path, 400, 'invalidValue']);
    }
  });

  it.each(['userName', 'externalId', 'displayName'])(
    'are 500 characters of what is found by %s',
    async (name) => {
      const isOfGroup = name === 'displayName';
      const of = (length: number) => ({
        ...(isOfGroup ? {} : { userName: randomUUID(), emails: [`${randomUUID()}@example.com`] }),
        [name]: randomText(length),
      });
      const path = isOfGroup ? '/Groups' : '/Users';
      const { id } = await directory.sent('POST', path, of(500));
      const beyond = [
        await directory.send('POST', path, of(10_000)),
        await directory.send('PUT', `${path}/${id}`, of(501)),
        await directory.send('PATCH', `${path}/${id}`, { Operations: [{ op: 'replace', value: of(501) }] }),
      ];
      expect(beyond.map(({ status, body }) => [status, body.scimType])).toEqual(
        beyond.map(() => [400, 'invalidValue']),
      );
    },
  );

  it('are 100,000 people, those that were deleted included, and 200 of them in a page', async () => {
    await fill(
      app.database,
      `INSERT INTO scim_users (org_id, id, email, active, resource, deleted_at)
       SELECT $1, gen_random_uuid(), n || '@example.com', false, jsonb_build_object('userName', n || '@example.com'),
              CASE WHEN n > 300 THEN now() END
         FROM generate_series(1, 99999) n`,
      [directory.orgId],
    );
    await directory.person('last@example.com');
    const beyond = await directory.send('POST', '/Users', { userName: 'beyond@example.com' });
    expect([beyond.status, beyond.body.scimType]).toEqual([409, 'tooMany']);
    const page = await directory.sent('GET', '/Users?count=1000');
    expect([page.itemsPerPage, page.totalResults]).toEqual([200, 301]);
  });

  it('are 10,000 groups', async () => {
    await fill(
      app.database,
      `INSERT INTO scim_groups (org_id, id, resource)
       SELECT $1, gen_random_uuid(), jsonb_build_object('displayName', n::text) FROM generate_series(1, 9999) n`,
      [directory.orgId],
    );
    await directory.sent('POST', '/Groups', { displayName: 'The last' });
    const beyond = await directory.send('POST', '/Groups', { displayName: 'One more' });
    expect([beyond.status, beyond.body.scimType]).toEqual([409, 'tooMany']);
  });
});
