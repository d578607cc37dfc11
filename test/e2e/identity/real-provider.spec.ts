import { FormBrowser } from '../../support/identity/form-browser';
import { ownDomain } from '../../support/identity/provider-steps';
import { RealProvider } from '../../support/identity/real-provider';
import { freePort } from '../../support/service/free-port';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { FROM_OWN_PAGE } from '../../support/web-interface/browser-cookie';

const DOMAIN = 'acme.example';

interface Added {
  readonly id: string;
  readonly redirect_uri: string;
  readonly backchannel_logout_uri: string;
}

let provider: RealProvider;
let app: TestApp;
let owner: TestCaller;
let added: Added;

beforeAll(async () => {
  provider = await RealProvider.start();
  const port = await freePort();
  app = await startTestApp({
    env: {
      OIDC_ALLOWED_HOSTS: provider.host,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      APP_ROLE: 'api',
    },
    port,
  });
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
  await ownDomain(app.db, owner.orgId, DOMAIN);
  const { clientId: client_id, clientSecret: client_secret, issuer } = provider;
  const group_roles = [{ group: 'chiefs', role: 'admin' }];
  const body = { name: 'Acme', issuer, client_id, client_secret, default_role: 'member', group_roles };
  const path = `/api/organizations/${owner.orgId}/identity-providers`;
  added = (await call<Added>(app, 'POST', path, { key: owner.key, body })).body;
  await provider.serve({
    redirect_uris: [added.redirect_uri],
    backchannel_logout_uri: added.backchannel_logout_uri,
  });
});
afterAll(async () => {
  await app.close();
  await provider.close();
});

/** Signs somebody in on the pages of the provider. */
async function signIn(browser: FormBrowser, login: string) {
  const begun = await browser.open(`${app.url}/login/oidc/${added.id}?returnTo=/login`);
  const agreed = await browser.open(begun.url.href, { prompt: 'login', login, password: 'any' });
  return browser.open(agreed.url.href, { prompt: 'consent' });
}

const current = (browser: FormBrowser) =>
  call(app, 'GET', `/api/organizations/${owner.orgId}/me`, {
    headers: { Cookie: browser.cookiesOf(new URL(app.url)), 'Sec-Fetch-Site': 'same-origin' },
  });

it('somebody signs in with a certified provider, and what it says of them counts', async () => {
  provider.people.set('robin', { email: `robin@${DOMAIN}`, name: 'Robin', groups: ['chiefs'] });
  const browser = new FormBrowser();
  const { url, html } = await signIn(browser, 'robin');
  expect(url.href).toBe(`${app.url}/login`);
  expect(html).toContain(`As robin@${DOMAIN}`);
  expect((await current(browser)).body).toMatchObject({ name: 'Robin', role: 'admin' });
  // It says when they proved who they are, so that they may change keys.
  const made = await call(app, 'POST', '/api/keys', {
    headers: { Cookie: browser.cookiesOf(new URL(app.url)), ...FROM_OWN_PAGE },
    body: { name: 'A key', org_id: owner.orgId },
  });
  expect(made).toMatchObject({ status: 200 });
});

it('whoever signs out there is signed out here, in that browser', async () => {
  provider.people.set('kim', { email: `kim@${DOMAIN}`, name: 'Kim' });
  const [browser, other] = [new FormBrowser(), new FormBrowser()];
  await signIn(browser, 'kim');
  await signIn(other, 'kim');
  expect([(await current(browser)).status, (await current(other)).status]).toEqual([200, 200]);
  const { url, html } = await browser.open(`${provider.issuer}/session/end`);
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(html) ?? [];
  await browser.open(new URL('/session/end/confirm', url).href, { xsrf, logout: 'yes' });
  expect([(await current(browser)).status, (await current(other)).status]).toEqual([401, 200]);
});

it('who cancels there is told so here', async () => {
  const browser = new FormBrowser();
  const begun = await browser.open(`${app.url}/login/oidc/${added.id}`);
  const { status, html } = await browser.open(`${begun.url.href}/abort`);
  expect([status, html]).toEqual([403, expect.stringContaining('says: access_denied')]);
});
