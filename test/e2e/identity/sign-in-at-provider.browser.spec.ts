import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ownDomain } from '../../support/identity/provider-steps';
import { RealProvider } from '../../support/identity/real-provider';
import { freePort } from '../../support/service/free-port';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { patience } from '../../support/time-bound';

const DOMAIN = 'acme.example';
const EMAIL = `robin@${DOMAIN}`;

/** A machine may be busy. */
const PATIENCE_MS = 45_000;

describeInBrowser('somebody in a browser', () => {
  let provider: RealProvider;
  let app: TestApp;
  let browser: Browser | undefined;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    provider = await RealProvider.start();
    const port = await freePort();
    const env = {
      OIDC_ALLOWED_HOSTS: provider.host,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      APP_ROLE: 'api',
    };
    app = await startTestApp({ env, port, hasConsole: true });
    const owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    await ownDomain(app.db, owner.orgId, DOMAIN);
    const { clientId: client_id, clientSecret: client_secret, issuer } = provider;
    const { body } = await call<{ redirect_uri: string; backchannel_logout_uri: string }>(
      app,
      'POST',
      `/api/organizations/${owner.orgId}/identity-providers`,
      { key: owner.key, body: { name: 'Acme', issuer, client_id, client_secret, default_role: 'member' } },
    );
    provider.people.set('robin', { email: EMAIL, name: 'Robin' });
    const { redirect_uri, backchannel_logout_uri } = body;
    await provider.serve({ redirect_uris: [redirect_uri], backchannel_logout_uri });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app.close();
    await provider.close();
  });
  beforeEach(async () => {
    context = await browser!.newContext({ locale: 'en-US' });
    context.setDefaultTimeout(patience(PATIENCE_MS));
    page = await context.newPage();
  });
  afterEach(() => context.close());

  /** From the sign-in page through the pages of the provider. */
  async function signIn(): Promise<void> {
    await page.goto(`${app.url}/login?returnTo=/settings`);
    await page.getByLabel('Your mail address there').fill(EMAIL);
    await page.getByRole('button', { name: 'Look for it' }).click();
    await page.getByRole('link', { name: 'Go on with Acme' }).click();
    await page.getByPlaceholder('Enter any login').fill('robin');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${app.url}/settings`);
  }

  it('finds the provider of their organization, signs in there, and is back where they wanted to', async () => {
    await signIn();
    expect(await page.content()).toContain(EMAIL);
    expect((await context.cookies(app.url)).map(({ name }) => name)).toEqual(['ocs_session']);
  });

  it('signs out here', async () => {
    await signIn();
    await page.goto(`${app.url}/login`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Your mail address there').waitFor();
    expect((await page.goto(`${app.url}/settings`))?.url()).toContain('/login');
  });

  it('is signed out here when they sign out at the provider', async () => {
    await signIn();
    await page.goto(`${provider.issuer}/session/end`);
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(/session\/end\/success/);
    expect((await page.goto(`${app.url}/settings`))?.url()).toContain('/login');
    expect(await page.content()).toContain('Your session has ended');
  });

  it('is not sent to a provider by another site', async () => {
    await signIn();
    const [{ id } = { id: '' }] = await app.db.query<{ id: string }[]>('SELECT id FROM identity_providers');
    await context.clearCookies();
    await page.goto(`${provider.issuer}/session/end`);
    await page.setContent(`<a href="${app.url}/login/oidc/${id}">A present</a>`);
    await page.getByRole('link', { name: 'A present' }).click();
    await page.getByRole('link', { name: 'Go on with Acme' }).waitFor();
    expect(await context.cookies(app.url)).toEqual([]);
  });
});
