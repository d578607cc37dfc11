import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { obstaclesOfAllKinds } from '../../support/browser/obstacles';
import { type BegunLogin, beginLogin, poll } from '../../support/device-login/device';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeMember, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { signIn } from '../../support/web-interface/watched-page';
import { patience } from '../../support/time-bound';

const NARROW = { width: 320, height: 640 };
const PATIENCE_MS = 45_000;

describeInBrowser('the page for a login of a device, in a browser', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let caller: TestCaller;
  let complaints: string[];

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' } });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });
  beforeEach(async () => {
    caller = await makeCaller(service.db, (await makeOrg(service.db, { name: 'Acme' })).id);
    complaints = [];
  });

  async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await browser!.newContext({ locale: 'en-US', ...options });
    context.setDefaultTimeout(patience(PATIENCE_MS));
    const page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) complaints.push(request.url());
    });
    return page;
  }
  /** The link, at the address at which the test listens. */
  const linkOf = ({ verification_uri_complete }: BegunLogin) => {
    const { pathname, search } = new URL(verification_uri_complete);
    return service.url + pathname + search;
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  it('leads from the link over the sign-in to the key of the device, with nothing to stumble over', async () => {
    const login = await beginLogin(service, { client_id: 'Acme command line', scope: 'use_conversations' });
    const page = await open();
    await page.goto(linkOf(login));
    await signIn(page, caller.key);
    await heading(page, 'Sign a device in');
    expect(await page.getByLabel('Code').inputValue()).toBe(login.user_code);
    expect(await obstaclesOfAllKinds(page)).toEqual([]);
    await button(page, 'Go on').click();
    await heading(page, 'Give this device a key of yours?');
    expect(await page.getByText('start and use your conversations').isVisible()).toBe(true);
    expect(await obstaclesOfAllKinds(page)).toEqual([]);
    await page.getByLabel('The key works for').selectOption('30 days');
    await button(page, 'Approve').click();
    await heading(page, 'Approved');
    expect(await obstaclesOfAllKinds(page)).toEqual([]);
    const { body } = await poll(service, login);
    const current = await call(service, 'GET', '/api/keys/current', { key: body.access_token ?? '' });
    expect(current.body).toMatchObject({ name: 'Acme command line', bound_org_id: caller.orgId });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('works without JavaScript, on a narrow screen, by keyboard', async () => {
    const login = await beginLogin(service);
    const page = await open({ javaScriptEnabled: false, viewport: NARROW });
    await page.goto(`${service.url}/oauth/device/verify`);
    await signIn(page, caller.key);
    await heading(page, 'Sign a device in');
    // The field has the focus.
    await page.keyboard.type('xxxx-zzzz');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('This code does not work').waitFor();
    await page.keyboard.type(login.user_code.toLowerCase());
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await heading(page, 'Give this device a key of yours?');
    for (let time = 0; time < 4; time++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await heading(page, 'Denied');
    expect((await poll(service, login)).body.error).toBe('access_denied');
    await page.context().close();
  });

  it('holds hostile and long names, of programs and of organizations', async () => {
    const { userId: id, email } = caller;
    const long = await makeOrg(service.db, { name: 'long-name-'.repeat(19) });
    await makeMember(service.db, long.id, 'member', { id, email, name: null });
    const name = `${'W'.repeat(70)}<b>"&'</b>`;
    const { body: login } = await call<BegunLogin>(service, 'POST', '/oauth/device/authorize', {
      body: { client_id: name },
      headers: { 'User-Agent': 'Mozilla/5.0-'.repeat(20) },
    });
    const page = await open({ viewport: NARROW });
    await page.goto(linkOf(login));
    await signIn(page, caller.key);
    await button(page, 'Go on').click();
    await heading(page, 'Give this device a key of yours?');
    expect(await page.locator('dd bdi').first().textContent()).toBe(name);
    expect(await obstaclesOfAllKinds(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
