import type { Browser, BrowserContext, Page } from 'playwright-core';
import { AuthCaches } from '../../../src/kernel/auth';
import { startBrowser } from '../../support/browser/chromium';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { describeWithInterface, REAL_INTERFACE } from '../../support/web-interface/real-interface';
import { signIn } from '../../support/web-interface/watched-page';
import { patience } from '../../support/time-bound';

const HOST = 'agents.test';
const PATIENCE_MS = 45_000;

/** How often the open page asks for something, whatever anybody does. */
const ASKS_EVERY_MS = 30_000;

describeWithInterface('the web interface, in a browser', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let context: BrowserContext;
  let caller: TestCaller;
  /** Responses of hosts that are not the service. */
  let strangers: string[];
  let scriptFaults: string[];

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' }, webInterface: REAL_INTERFACE });
    browser = await startBrowser([HOST]);
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });

  beforeEach(async () => {
    caller = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
    context = await browser!.newContext();
    context.setDefaultTimeout(patience(PATIENCE_MS));
    strangers = [];
    scriptFaults = [];
    context.on('response', (response) => {
      const { hostname } = new URL(response.url());
      if (![HOST, 'localhost', ''].includes(hostname)) strangers.push(response.url());
    });
    context.on('weberror', (fault) => scriptFaults.push(String(fault.error())));
    context.on('console', (message) => {
      if (/Refused to (execute|run|load the script)|violates.*script-src/.test(message.text()))
        scriptFaults.push(message.text());
    });
  });
  afterEach(() => context.close());

  const originOn = (host: string) => `http://${host}:${new URL(service.url).port}`;
  const expectHome = async (page: Page): Promise<void> => {
    await page.getByTestId('home-screen').waitFor();
  };

  it.each([HOST, 'localhost'])('is signed in to with a key, on %s', async (host) => {
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 401) refused.push(response.url());
    });
    await page.goto(`${originOn(host)}/`);
    expect(page.url()).toBe(`${originOn(host)}/login`);
    await signIn(page, caller.key);
    await expectHome(page);
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    );
    expect(stored).not.toContain(caller.key);
    expect(stored).toContain(caller.orgId);
    expect(refused).toEqual([]);
    expect(strangers).toEqual([]);
    expect(scriptFaults).toEqual([]);
  });

  it('is there in a second tab as well, at the path that was asked for', async () => {
    const first = await context.newPage();
    await first.goto(originOn(HOST));
    await signIn(first, caller.key);
    await expectHome(first);
    const second = await context.newPage();
    await second.goto(`${originOn(HOST)}/conversations`);
    await expectHome(second);
    expect(second.url()).toMatch(/\/conversations$/);
    await Promise.all([first.reload(), second.reload()]);
    await Promise.all([expectHome(first), expectHome(second)]);
  });

  it('fits the screen of a phone', async () => {
    const page = await context.newPage();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(originOn(HOST));
    const widthOf = () => page.evaluate<number>('document.documentElement.scrollWidth');
    expect(await widthOf()).toBe(390);
    await signIn(page, caller.key);
    await expectHome(page);
    await page.getByTestId('chat-input').waitFor();
    expect(await widthOf()).toBe(390);
  });

  it.each([HOST, 'localhost'])(
    'leads to signing in again when the session has ended, and back, on %s',
    async (host) => {
      const page = await context.newPage();
      await page.clock.install();
      await page.goto(`${originOn(host)}/settings/app?from=link`);
      await signIn(page, caller.key);
      await page.getByTestId('settings-screen').waitFor();
      await service.db.query('DELETE FROM browser_sessions');
      // What the open page itself asks every half minute tells it; nobody reloads it.
      await eventually(async () => {
        await page.clock.fastForward(ASKS_EVERY_MS);
        expect(page.url()).toMatch(/\/login\?returnTo=/);
      }, PATIENCE_MS);
      await signIn(page, caller.key);
      await page.waitForURL(`${originOn(host)}/settings/app?from=link`);
      await page.getByTestId('settings-screen').waitFor();
    },
  );

  it('leads to signing in again where a secret is kept after more than an hour, and back', async () => {
    const page = await context.newPage();
    const secrets = `${originOn(HOST)}/settings/secrets`;
    await page.goto(secrets);
    await signIn(page, caller.key);
    const keep = async (): Promise<void> => {
      await page.getByTestId('add-secret-button').click();
      await page.getByTestId('name-input').fill('TOKEN_OF_TESTS');
      await page.getByTestId('value-input').fill('value');
      await page.getByTestId('submit-button').click();
    };
    await page.getByTestId('add-secret-button').waitFor();
    await service.db.query("UPDATE browser_sessions SET created_at = now() - interval '2 hours'");
    service.app.get(AuthCaches).clear();
    await keep();
    await page.waitForURL(/\/login\?again=yes&returnTo=/);
    await page.getByText('sign in again').waitFor();
    await signIn(page, caller.key);
    await page.waitForURL(secrets);
    await keep();
    await page.getByTestId('secret-item').filter({ hasText: 'TOKEN_OF_TESTS' }).waitFor();
  });
});
