import { randomUUID } from 'node:crypto';
import { OpenIdDouble } from '../../support/identity/openid-double';
import { addProvider, ownDomain, signInAt } from '../../support/identity/provider-steps';
import { Directory } from '../../support/scim/directory';
import { startTestApp, type TestApp } from '../../support/service/app';

let double: OpenIdDouble;
let app: TestApp;
let directory: Directory;
let provider: string;
let domain: string;

beforeAll(async () => {
  double = await OpenIdDouble.start();
  app = await startTestApp({ env: { OIDC_ALLOWED_HOSTS: double.host, APP_ROLE: 'api' } });
});
afterAll(async () => {
  await app.close();
  await double.close();
});
beforeEach(async () => {
  double.reset();
  directory = await Directory.make(app);
  domain = `${randomUUID()}.example`;
  await ownDomain(app.db, directory.orgId, domain);
  provider = await addProvider(app, directory.owner, double, { default_role: 'member' });
});

const at = (name: string) => `${name}@${domain}`;
const signIn = (sub: string, email: string) => signInAt(app, double, provider, { sub, email });
const SWITCHED_OFF = {
  status: 403,
  body: expect.stringContaining('switched this person off') as unknown,
};

describe('whom the directory of an organization has switched off', () => {
  it.each(['switched off', 'deleted'])(
    'is let in by the provider with no other address either: %s',
    async (how) => {
      const sub = randomUUID();
      const { id } = await directory.person(at('a'));
      expect((await signIn(sub, at('a'))).status).toBe(302);
      if (how === 'deleted') await directory.send('DELETE', `/Users/${id}`);
      else await directory.setActive(id, false);
      for (const email of [at('a'), at('b')]) expect(await signIn(sub, email)).toMatchObject(SWITCHED_OFF);
      const left = await app.db.query<unknown[]>('SELECT FROM users WHERE email = $1', [at('b')]);
      expect(left).toEqual([]);
      // Others come in as before.
      expect((await signIn(randomUUID(), at('c'))).status).toBe(302);
    },
  );

  it('is known by the name that the directory and the provider have for them, before they ever signed in', async () => {
    const sub = randomUUID();
    const { id } = await directory.person(at('a'), { externalId: sub });
    await directory.setActive(id, false);
    expect(await signIn(sub, at('b'))).toMatchObject(SWITCHED_OFF);
  });

  it('is known by all addresses that the directory names, unless one is another person’s', async () => {
    const { id } = await directory.person(at('a'));
    await directory.sent('PUT', `/Users/${id}`, {
      userName: at('renamed'),
      emails: [{ value: at('A2').toUpperCase(), primary: true }, { value: at('a3') }],
    });
    await directory.setActive(id, false);
    for (const name of ['renamed', 'a2', 'a3'])
      expect(await signIn(randomUUID(), at(name))).toMatchObject(SWITCHED_OFF);
    await directory.person(at('a3'));
    expect(await directory.roleOf(at('a3'))).toBe('member');
  });

  it('comes in again when the directory has them as active', async () => {
    const sub = randomUUID();
    const { id } = await directory.person(at('a'));
    await signIn(sub, at('a'));
    await directory.setActive(id, false);
    await directory.setActive(id, true);
    expect((await signIn(sub, at('a'))).status).toBe(302);
    expect(await directory.roleOf(at('a'))).toBe('member');
  });
});
