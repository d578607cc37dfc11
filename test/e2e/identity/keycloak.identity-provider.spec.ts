import { IdentityProviders } from '../../../src/accounts/identity-providers';
import { ProviderQuestions } from '../../../src/accounts/provider-tokens/provider-questions';
import { eventually } from '../../support/eventually';
import { FormBrowser } from '../../support/identity/form-browser';
import { Keycloak } from '../../support/identity/keycloak';
import { AUDIENCE, PASSWORD, realm, SERVICE_CLIENT } from '../../support/identity/keycloak-realm';
import { ownDomain } from '../../support/identity/provider-steps';
import { freePort } from '../../support/service/free-port';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const DOMAIN = 'acme.example';
const REALM = 'acme';

interface Added {
  readonly id: string;
  readonly redirect_uri: string;
  readonly backchannel_logout_uri: string;
}

let keycloak: Keycloak;
let app: TestApp;
let owner: TestCaller;
let added: Added;

beforeAll(async () => {
  keycloak = await Keycloak.start();
  const port = await freePort();
  app = await startTestApp({
    env: {
      OIDC_ALLOWED_HOSTS: keycloak.host,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      APP_ROLE: 'api',
    },
    port,
  });
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
  await ownDomain(app.db, owner.orgId, DOMAIN);
  const body = {
    name: 'Acme',
    issuer: keycloak.issuer(REALM),
    client_id: SERVICE_CLIENT.id,
    client_secret: SERVICE_CLIENT.secret,
    default_role: 'member',
    group_roles: [{ group: 'chiefs', role: 'admin' }],
    audience: AUDIENCE,
    introspection: true,
  };
  const path = `/api/organizations/${owner.orgId}/identity-providers`;
  added = (await call<Added>(app, 'POST', path, { key: owner.key, body })).body;
  const user = (username: string, groups: readonly string[] = [], emailVerified = true) => ({
    username,
    email: `${username}@${DOMAIN}`,
    emailVerified,
    groups,
  });
  await keycloak.administer(
    'POST',
    '',
    realm({
      name: REALM,
      redirectUri: added.redirect_uri,
      backchannelLogoutUri: added.backchannel_logout_uri,
      groups: ['chiefs'],
      users: [
        ...[user('robin', ['chiefs']), user('kim'), user('sam'), user('ada', ['chiefs'])],
        ...[user('eve'), user('max', [], false)],
      ],
    }),
  );
});
afterAll(async () => {
  await app.close();
  await keycloak.stop();
});

/** Opens the page of Keycloak that a sign-in leads to, and enters somebody's password there. */
async function signIn(browser: FormBrowser, username: string) {
  const { html, url } = await browser.open(`${app.url}/login/oidc/${added.id}?returnTo=/login`);
  return browser.open(actionOf(html, url), { username, password: PASSWORD });
}

/** Where the form of a page is sent to. */
function actionOf(html: string, page: URL): string {
  const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(html) ?? [];
  return new URL(action.replaceAll('&amp;', '&'), page).href;
}

const me = (headers: Readonly<Record<string, string>>) =>
  call<{ role: string }>(app, 'GET', `/api/organizations/${owner.orgId}/me`, { headers });
const inBrowser = (browser: FormBrowser) =>
  me({ Cookie: browser.cookiesOf(new URL(app.url)), 'Sec-Fetch-Site': 'same-origin' });
const byToken = async (username: string) =>
  me({ Authorization: `Bearer ${await keycloak.token(REALM, username)}` });

it('is found to work', async () => {
  const path = `/api/organizations/${owner.orgId}/identity-providers/${added.id}/test`;
  const { body } = await call(app, 'POST', path, { key: owner.key });
  expect(body).toEqual({ works: true, problem: null });
});

it('signs people in, who have the role of their groups, and at the next sign-in that of their groups then', async () => {
  const browser = new FormBrowser();
  const { url, html } = await signIn(browser, 'robin');
  expect(url.href).toBe(`${app.url}/login`);
  expect(html).toContain(`As robin@${DOMAIN}`);
  expect((await inBrowser(browser)).body).toMatchObject({ name: 'robin Example', role: 'admin' });
  const [user, group] = [
    await keycloak.idOf(REALM, 'users', 'robin'),
    await keycloak.idOf(REALM, 'groups', 'chiefs'),
  ];
  await keycloak.administer('DELETE', `/${REALM}/users/${user}/groups/${group}`);
  const later = new FormBrowser();
  await signIn(later, 'robin');
  expect((await inBrowser(later)).body.role).toBe('member');
});

it('lets nobody in whose address it has not verified', async () => {
  const browser = new FormBrowser();
  const { status, url } = await signIn(browser, 'max');
  expect([status, url.origin]).toEqual([403, app.url]);
  expect((await inBrowser(browser)).status).toBe(401);
});

it('has the session end of whoever signs out there, in that browser', async () => {
  const [browser, other] = [new FormBrowser(), new FormBrowser()];
  await signIn(browser, 'kim');
  await signIn(other, 'kim');
  expect([(await inBrowser(browser)).status, (await inBrowser(other)).status]).toEqual([200, 200]);
  const asks = await browser.open(`${keycloak.issuer(REALM)}/protocol/openid-connect/logout`);
  const [, session_code = ''] = /name="session_code" value="([^"]+)"/.exec(asks.html) ?? [];
  await browser.open(actionOf(asks.html, asks.url), { session_code, confirmLogout: 'Logout' });
  await eventually(async () => expect((await inBrowser(browser)).status).toBe(401));
  expect((await inBrowser(other)).status).toBe(200);
});

it('has everything end of a user who is disabled and signed out there, who does not come back', async () => {
  const browser = new FormBrowser();
  await signIn(browser, 'sam');
  const headers = { Authorization: `Bearer ${await keycloak.token(REALM, 'sam')}` };
  expect([(await inBrowser(browser)).status, (await me(headers)).status]).toEqual([200, 200]);
  const id = await keycloak.idOf(REALM, 'users', 'sam');
  await keycloak.administer('PUT', `/${REALM}/users/${id}`, { enabled: false });
  await keycloak.administer('POST', `/${REALM}/users/${id}/logout`);
  await eventually(async () => expect((await inBrowser(browser)).status).toBe(401));
  await expect(keycloak.token(REALM, 'sam')).rejects.toThrow('Account disabled');
  const { url, html } = await signIn(new FormBrowser(), 'sam');
  expect([url.origin, html]).toEqual([keycloak.url, expect.stringContaining('disabled')]);
});

it('issues access tokens that count, with the role of their groups', async () => {
  const { status, body } = await byToken('ada');
  expect([status, body.role]).toEqual([200, 'admin']);
});

it('may begin to sign with another key', async () => {
  expect((await byToken('ada')).status).toBe(200);
  await keycloak.administer('POST', `/${REALM}/components`, {
    name: 'newer',
    providerId: 'rsa-generated',
    providerType: 'org.keycloak.keys.KeyProvider',
    config: { priority: ['200'], algorithm: ['RS256'] },
  });
  expect((await byToken('ada')).status).toBe(200);
});

it('says by introspection what the token says, until it is no longer so', async () => {
  const provider = await app.app.get(IdentityProviders).find(added.id);
  const questions = app.app.get(ProviderQuestions);
  const token = await keycloak.token(REALM, 'eve');
  const id = await keycloak.idOf(REALM, 'users', 'eve');
  expect(await questions.claimsOf(provider!, token)).toMatchObject({ subject: id });
  const later = await keycloak.token(REALM, 'eve');
  await keycloak.administer('POST', `/${REALM}/users/${id}/logout`);
  expect(await questions.claimsOf(provider!, later)).toEqual({ reason: 'it is not active' });
});
