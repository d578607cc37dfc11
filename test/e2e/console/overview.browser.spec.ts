import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import {
  storeConversation,
  type StoredConversation,
  storeSandbox,
} from '../../support/queue/conversation-rows';
import { saying } from '../../support/queue/queued-messages';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const DAY_MS = 86_400_000;
const HOSTILE = '<img src=x onerror=alert(1)> שלום';

describeInBrowser('the overview', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let admin: TestCaller;
  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' }, hasConsole: true });
    browser = await startBrowser();
  });
  beforeEach(async () => {
    admin = await makeCaller(service.db, (await makeOrg(service.db)).id, 'admin');
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });

  const store = (fields: Partial<StoredConversation> = {}): Promise<StoredConversation> =>
    storeConversation(service.db, { org_id: admin.orgId, created_by_user_id: admin.userId, ...fields });
  const at = (daysAgo: number): Pick<StoredConversation, 'created_at' | 'updated_at'> => {
    const time = new Date(Date.now() - daysAgo * DAY_MS);
    return { created_at: time, updated_at: time };
  };
  /** Opens the figures of all charts. */
  const open = async (visit: ConsoleVisit): Promise<void> => {
    for (const summary of await visit.page.getByText('Figures', { exact: true }).all()) await summary.click();
  };

  /** The names and figures of a chart of bars, from the top, as they stand beside each other. */
  const drawn = async (visit: ConsoleVisit, title: string): Promise<string[][]> => {
    const { page } = visit;
    const chart = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: title }) })
      .locator('.chart');
    const texts = async (of: string): Promise<{ text: string; middle: number; length: number }[]> => {
      const found = await chart.locator(of).all();
      return Promise.all(
        found.map(async (one) => {
          const { y = 0, height = 0, width = 0 } = (await one.boundingBox()) ?? {};
          return { text: (await one.textContent()) ?? '', middle: y + height / 2, length: width };
        }),
      );
    };
    const [names, figures, bars] = [
      await texts('.ct-label'),
      await texts('.ct-figure'),
      await texts('.ct-bar'),
    ];
    const nearest = <T extends { middle: number }>(to: number, of: readonly T[]): T | undefined =>
      [...of].sort((one, other) => Math.abs(one.middle - to) - Math.abs(other.middle - to))[0];
    const rows = names
      .sort((one, other) => one.middle - other.middle)
      .map(({ text, middle }) => ({
        name: text,
        figure: nearest(middle, figures)?.text ?? '',
        length: nearest(middle, bars)?.length ?? 0,
      }));
    // What is larger is longer.
    expect(rows.map(({ length }) => length)).toEqual(
      rows.map(({ length }) => length).sort((one, other) => other - one),
    );
    return rows.map(({ name, figure }) => [name, figure]);
  };

  it('is the first page of admins and owners, and none of members', async () => {
    const visit = await ConsoleVisit.open(browser!, service, admin, '');
    expect((await visit.menu())[0]).toBe('Overview');
    expect(await visit.page.getByRole('heading', { level: 1 }).textContent()).toBe('Overview');
    expect(visit.takeFaults()).toEqual([]);
    await visit.close();
    const caller = await makeCaller(service.db, admin.orgId, 'member');
    const member = await ConsoleVisit.open(browser!, service, caller, 'overview');
    expect(await member.menu()).not.toContain('Overview');
    expect(await member.page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Your role does not include this page.',
    );
    await member.close();
    const owner = await makeCaller(service.db, admin.orgId, 'owner');
    const other = await ConsoleVisit.open(browser!, service, owner, 'overview');
    await other.page.getByRole('heading', { name: 'By model' }).waitFor();
    await other.close();
  });

  it('says once that it loads, and once why it cannot', async () => {
    const visit = await ConsoleVisit.open(browser!, service, admin, 'people');
    const { page } = visit;
    const answers: (() => Promise<void>)[] = [];
    await page.route(/\/api\/.*\/(overview|usage|stats)(\?.*)?$/, (route) => {
      const isOverview = route.request().url().endsWith('/overview');
      const refusal = { status: 400, json: { detail: 'No overview.' } };
      answers.push(() => (isOverview ? route.fulfill(refusal) : route.continue()));
    });
    await page.getByRole('link', { name: 'Overview' }).click();
    await eventually(() => expect(answers).toHaveLength(7));
    expect(await page.getByText('Loading…').count()).toBe(8);
    expect(await page.getByRole('status').filter({ hasText: 'Loading…' }).count()).toBe(1);
    await page.getByRole('heading', { name: 'Sandboxes' }).waitFor();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await Promise.all(answers.map((answer) => answer()));
    await page.getByRole('alert').getByText('No overview.').waitFor();
    await page.getByText('Nothing was used in this period.').nth(3).waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    await page.getByText('Not known at the moment.').waitFor();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    expect(visit.takeFaults()).toEqual([]);
    await visit.close();
  });

  it('leads to what failed of the only webhook, and to the list where there are several', async () => {
    const visit = await ConsoleVisit.open(browser!, service, admin, 'people');
    const { page } = visit;
    const { body } = await call<object>(service, 'GET', `/api/organizations/${admin.orgId}/overview`, admin);
    await page.route('**/api/**/overview', (route) =>
      route.fulfill({ json: { ...body, webhook_deliveries: { waiting: 0, failed_24h: 3 } } }),
    );
    const items = [{ id: 'one' }];
    await page.route('**/webhooks?limit=2', (route) => route.fulfill({ json: { items } }));
    const address = (): Promise<string | null> =>
      page.getByRole('link', { name: '3', exact: true }).getAttribute('href');
    await visit.goTo('overview');
    await eventually(async () =>
      expect(await address()).toBe(`/console/${admin.orgId}/webhooks/one?state=failed`),
    );
    items.push({ id: 'other' });
    await visit.goTo('overview');
    expect(await address()).toBe(`/console/${admin.orgId}/webhooks`);
    expect(visit.takeFaults()).toEqual([]);
    await visit.close();
  });

  it('says that nothing has happened in an organization that is new', async () => {
    const visit = await ConsoleVisit.open(browser!, service, admin, 'overview');
    await visit.page.getByText('No conversation has failed in the last day.').waitFor();
    expect(await visit.page.getByText('Nothing was used in this period.').count()).toBe(4);
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    expect(visit.takeFaults()).toEqual([]);
    await visit.close();
  });

  it('shows what was used, by day and by what, as charts and as figures', async () => {
    const other = await makeCaller(service.db, admin.orgId);
    await store({
      ...at(0),
      llm_model: 'openai/gpt-5',
      accumulated_cost: 1.5,
      prompt_tokens: 2_000_000,
      completion_tokens: 500,
      tags: { team: 'shop' },
      selected_repository: 'acme/shop',
      execution_status: 'running',
    });
    await store({ ...at(8), llm_model: HOSTILE, accumulated_cost: 4, created_by_user_id: other.userId });
    await store({ ...at(8), selected_repository: `acme/${'x'.repeat(200)}`, accumulated_cost: 2 });
    await store({ ...at(60), llm_model: 'old/model', accumulated_cost: 100 });
    const visit = await ConsoleVisit.open(browser!, service, admin, 'overview');
    const { page } = visit;
    await open(visit);
    expect(await visit.rows('By model')).toEqual([
      [HOSTILE, '1', '$4.00', '0', '0', '0'],
      ['without a model', '1', '$2.00', '0', '0', '0'],
      ['openai/gpt-5', '1', '$1.50', '2,000,500', '2,000,000', '500'],
    ]);
    expect((await visit.rows('By creator')).map(([name, , cost]) => [name, cost])).toEqual([
      [other.email, '$4.00'],
      [admin.email, '$3.50'],
    ]);
    expect((await visit.rows('By repository')).map(([name]) => name)).toContain('acme/shop');
    expect((await visit.rows('By tag')).map(([name]) => name)).toEqual(['without a tag', 'team:shop']);
    expect(await visit.rows('By day')).toHaveLength(30);
    expect((await visit.rows('By day')).at(-1)?.slice(1, 4)).toEqual(['1', '$1.50', '2,000,500']);
    expect(await visit.rows('All conversations by status')).toContainEqual(['Running', '1']);
    expect(await page.locator('.chart svg').count()).toBe(9);
    expect(await page.locator('.chart:not([aria-hidden="true"])').count()).toBe(0);
    expect(await drawn(visit, 'By model')).toEqual([
      ['<img src=x onerror=alert…', '$4.00'],
      ['without a model', '$2.00'],
      ['openai/gpt-5', '$1.50'],
    ]);
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);

    await visit.field('Compare by').selectOption('Tokens');
    await page.locator('.ct-figure').getByText('2M').first().waitFor();
    expect((await drawn(visit, 'By model'))[0]).toEqual(['openai/gpt-5', '2M']);
    await visit.field('Period').selectOption('The last 90 days');
    await page.getByText('$107.50').first().waitFor();
    expect(page.url()).toMatch(/\?by=tokens&days=90$/);
    expect(await visit.rows('By day')).toHaveLength(90);
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await page.goBack();
    await page.getByText('$107.50').first().waitFor({ state: 'detached' });
    await visit.field('Period').selectOption('The last 7 days');
    await page.getByText('$1.50').first().waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'By model' }).waitFor();
    expect(await visit.field('Period').inputValue()).toBe('7');
    expect(visit.takeFaults()).toEqual([]);
    await visit.close();
  });

  it('shows what waits, which sandboxes there are, and what failed in the last day, with the way to it', async () => {
    for (const status of ['PAUSED', 'RUNNING', 'RUNNING'])
      await storeSandbox(service.db, { org_id: admin.orgId, created_by_user_id: admin.userId }, { status });
    const { id } = await store({ execution_status: 'error', title: HOSTILE });
    await store({ start_state: 'failed', title: 'x'.repeat(300) });
    await call(service, 'POST', `/api/v1/conversations/${id}/pending-messages`, {
      key: admin.key,
      body: saying('x'),
    });
    const visit = await ConsoleVisit.open(browser!, service, admin, 'overview');
    const { page } = visit;
    await open(visit);
    expect(await visit.rows('Sandboxes')).toEqual([
      ['Starting', '0'],
      ['Running', '2'],
      ['Paused', '1'],
      ['Error', '0'],
      ['Gone', '0'],
    ]);
    expect(await page.getByText('Messages that wait for their agents').locator('..').textContent()).toContain(
      '1',
    );
    expect((await visit.rows('Failed in the last day')).map(([, , what]) => what).sort()).toEqual([
      'Agent run',
      'Start',
    ]);
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await page.getByRole('link', { name: HOSTILE }).click();
    await page.waitForURL(`**/conversations/${id}`);
    expect(visit.takeFaults()).toEqual([]);
    await visit.close();
  });
});
