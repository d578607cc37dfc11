import type { Browser, Locator, Page } from 'playwright-core';
import { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import { startBrowser } from '../../support/browser/chromium';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { describeWithInterface, REAL_INTERFACE } from '../../support/web-interface/real-interface';
import { signIn, WatchedPage } from '../../support/web-interface/watched-page';

const HOST = 'agents.test';
const PATIENCE_MS = 45_000;

/** Every page there is a link or an address for, but conversations. */
const PAGES = [
  '/',
  '/conversations',
  '/launch',
  '/customize',
  '/skills',
  '/plugins',
  '/apps',
  '/mcp',
  '/settings',
  ...['llm', 'agent', 'agents', 'condenser', 'agent-context', 'verification', 'app', 'secrets'].map(
    (name) => `/settings/${name}`,
  ),
  '/extensions/x',
];

describeWithInterface('the pages of the web interface, in a browser', () => {
  let double: AgentServerDouble;
  let service: TestApp;
  let caller: TestCaller;
  let browser: Browser | undefined;
  let watched: WatchedPage;
  let page: Page;
  let origin: string;

  beforeAll(async () => {
    double = await AgentServerDouble.start();
    double.models = {
      providers: ['openai', 'xai'],
      models: ['openai/gpt-5', 'openai/gpt-old', 'xai/grok'],
      verified: { openai: ['gpt-5'] },
    };
    service = await startTestApp({
      env: {
        APP_ROLE: 'api',
        SANDBOX_DRIVER: 'external',
        EXTERNAL_ORG_ID: '*',
        LLM_MODEL: 'house/model',
        AGENT_SERVER_URL: double.url,
        AGENT_SERVER_API_KEY: double.target.apiKey,
      },
      webInterface: REAL_INTERFACE,
    });
    caller = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
    origin = `http://${HOST}:${new URL(service.url).port}`;
    browser = await startBrowser([HOST]);
    watched = await WatchedPage.open(browser, origin, PATIENCE_MS);
    page = watched.page;
    await page.goto(origin);
    await signIn(page, caller.key);
    await page.getByTestId('home-screen').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
    await double.stop();
  });

  /** Until nothing more is asked. */
  const open = async (path: string): Promise<void> => {
    await page.goto(origin + path);
    await page.waitForLoadState('networkidle');
  };

  it.each(PAGES)('%s opens without an error, and all that it asks is answered', async (path) => {
    await open(path);
    expect(await watched.takeFaults()).toEqual([]);
  });

  it.each([
    ['/settings/skills', '/skills'],
    ['/settings/mcp', '/mcp'],
    ['/settings/integrations/', '/settings'],
    ['/conversations/x/y', '/conversations'],
    ['/automations/new/x', '/'],
    ['/shared/conversations/1', '/conversations'],
  ])('%s, where there is none, leads to %s', async (path, nearest) => {
    await open(path);
    expect(new URL(page.url()).pathname).toBe(nearest);
    expect(await watched.takeFaults()).toEqual([]);
  });

  it.each([
    ['/', 'sidebar-automations-link'],
    ['/', 'sidebar-onboarding-checklist'],
    ['/settings/app', 'show-getting-started-checklist-switch'],
    ['/settings/app', 'enable-analytics-switch'],
  ])('%s shows no %s, which would lead nowhere', async (path, name) => {
    await open(path);
    const control = page.getByTestId(name);
    await control.waitFor({ state: 'attached' });
    expect(await control.locator('xpath=self::*[not(self::input)] | self::input/..').isVisible()).toBe(false);
  });

  it('the service is shown by its host, and settings are saved without a consent to telemetry', async () => {
    await open('/settings/app');
    expect(await page.locator('body').innerText()).toContain(`${new URL(origin).host} – `);
    await page.getByTestId('git-user-name-input').fill('Ada Arnold');
    await page.getByTestId('app-settings-screen').getByTestId('submit-button').click();
    await page.getByText('Settings saved').first().waitFor();
    await open('/');
    const { body } = await call(service, 'GET', '/api/v1/settings', caller);
    expect(body).toMatchObject({ git_user_name: 'Ada Arnold', user_consents_to_analytics: false });
    expect(await watched.takeFaults()).toEqual([]);
  });

  it('errors of the service are sentences', async () => {
    await open('/settings/secrets');
    await page.getByTestId('add-secret-button').click();
    await page.getByTestId('name-input').fill('1');
    await page.getByTestId('value-input').fill('hidden');
    await page.getByTestId('submit-button').click();
    const toast = page.locator('[role="status"]').first();
    await toast.waitFor();
    expect(await toast.innerText()).not.toMatch(/[{}"]|HTTP/);
    await watched.takeFaults();
  });

  it('buttons copy, though browsers give a page over plain http no clipboard', async () => {
    await open('/skills');
    await page.getByTestId('skills-add-skill-button').click();
    await page.getByTestId('add-skill-modal-example-copy').click();
    expect(await watched.takeFaults()).toEqual([]);
    await open('/settings/app');
    const field = page.getByTestId('git-user-name-input');
    await field.fill('');
    await field.press('Control+v');
    expect(await field.inputValue()).toMatch(/\S/);
  });

  it('the settings lead to a page with links to all of them', async () => {
    await open('/settings/app');
    await page.getByText('All Cloud Settings').click();
    await page.getByRole('link', { name: 'Secrets' }).click();
    await page.getByTestId('secrets-settings-screen').waitFor();
    expect(await watched.takeFaults()).toEqual([]);
  });

  /** Chooses from a list, which does not open before it is loaded. */
  const choose = (box: string, item: Locator) =>
    eventually(async () => {
      if (!(await item.isVisible())) await page.getByTestId(box).click();
      await item.click({ timeout: 5_000 });
    }, PATIENCE_MS);

  it('a profile is made of a model that the agent server knows', async () => {
    await open('/settings/llm');
    await page.getByTestId('add-llm-profile').click();
    await page.getByLabel('Profile Name').fill('Old');
    await choose('llm-provider-input', page.getByTestId('provider-item-openai'));
    await choose('llm-model-input', page.getByRole('option', { name: 'gpt-old' }));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByTestId('add-llm-profile').waitFor();
    const path = `/api/organizations/${caller.orgId}/profiles`;
    await eventually(
      async () =>
        expect((await call(service, 'GET', path, caller)).body).toMatchObject({
          profiles: [{ name: 'Old', model: 'openai/gpt-old' }],
        }),
      PATIENCE_MS,
    );
    expect(await watched.takeFaults()).toEqual([]);
  });

  it('a secret is kept, and taken away again', async () => {
    await open('/settings/secrets');
    await page.getByTestId('add-secret-button').click();
    await page.getByTestId('name-input').fill('TOKEN_OF_TESTS');
    await page.getByTestId('value-input').fill('hidden');
    await page.getByTestId('description-input').fill('For tests');
    await page.getByTestId('submit-button').click();
    const item = page.getByTestId('secret-item').filter({ hasText: 'TOKEN_OF_TESTS' });
    await item.waitFor();
    const names = async () => (await call(service, 'GET', '/api/v1/secrets/search', caller)).body;
    expect(await names()).toMatchObject({ items: [{ name: 'TOKEN_OF_TESTS', description: 'For tests' }] });
    await item.getByTestId('delete-secret-button').click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await eventually(async () => expect(await names()).toMatchObject({ items: [] }), PATIENCE_MS);
    expect(await watched.takeFaults()).toEqual([]);
  });
});
