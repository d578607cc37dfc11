import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { eventually } from '../../support/eventually';
import { ConsoleVisit } from '../../support/console/console-visit';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const BUDGET = 'Budget of a task, in US dollars';
const NAME = 'Name of the organization';

describeInBrowser('the page of app settings', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let owner: TestCaller;
  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' }, hasConsole: true });
    browser = await startBrowser();
  });
  beforeEach(async () => {
    const org = await makeOrg(service.db);
    owner = await makeCaller(service.db, org.id, 'owner');
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });

  const look = (caller: TestCaller): Promise<ConsoleVisit> =>
    ConsoleVisit.open(browser!, service, caller, 'settings');
  const saved = async (): Promise<unknown> =>
    (await call(service, 'GET', '/api/organizations/app', { key: owner.key })).body;
  const save = async (body: object): Promise<void> => {
    const { status } = await call(service, 'POST', '/api/organizations/app', { key: owner.key, body });
    expect(status).toBe(200);
  };

  it('lets owners rename the organization, which is seen at once', async () => {
    const visit = await look(owner);
    const name = `<img src=x onerror=alert(1)> ארגון ${'x'.repeat(160)}`;
    await visit.field(NAME).fill(name);
    await visit.button('Rename').click();
    await visit.page.getByRole('banner').getByText(name).waitFor();
    await visit.page.getByText('Saved.').waitFor();
    expect(await visit.focused()).toBe('Rename');
    const [org] = await service.db.query<object[]>('SELECT name FROM organizations WHERE id = $1', [
      owner.orgId,
    ]);
    expect(org).toEqual({ name });
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    expect(visit.takeFaults()).toEqual([]);
    await visit.close();
  });

  it('saves a budget and the starters, and says what is wrong with them', async () => {
    const admin = await makeCaller(service.db, owner.orgId, 'admin');
    const visit = await look(admin);
    expect(await visit.field(NAME).count()).toBe(0);
    await visit.field(BUDGET).fill('0');
    await visit.button('Save').click();
    await visit.page.getByRole('alert').getByText('Request id:').waitFor();
    expect(await visit.field(BUDGET).getAttribute('aria-invalid')).toBe('true');
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.field(BUDGET).fill('12.5');
    await visit.field('Offer conversation starters').uncheck();
    await visit.button('Save').click();
    await visit.page.getByText('Saved.').waitFor();
    expect(await saved()).toMatchObject({
      max_budget_per_task: 12.5,
      enable_proactive_conversation_starters: false,
    });

    await save({ max_budget_per_task: 3 });
    await visit.field(BUDGET).fill('');
    const isAskedAgain = visit.page.waitForResponse(
      (response) =>
        response.request().method() === 'GET' && response.url().endsWith('/api/organizations/app'),
    );
    await visit.button('Save').click();
    await visit.page.getByRole('alert').getByText('Request id:').waitFor();
    expect(await saved()).toMatchObject({ max_budget_per_task: 3 });
    await isAskedAgain;
    await visit.loaded();
    await visit.button('Save').click();
    await visit.page.getByText('Saved.').waitFor();
    // It has said so of the change before as well.
    await eventually(async () => expect(await saved()).toMatchObject({ max_budget_per_task: null }));
    expect(visit.takeFaults()).toEqual([]);
    await visit.close();
  });

  it('shows members the budget, and lets them turn the starters off', async () => {
    await save({ max_budget_per_task: 2 });
    const member = await makeCaller(service.db, owner.orgId, 'member');
    const visit = await look(member);
    await visit.page.getByRole('definition').getByText('$2.00').waitFor();
    expect([await visit.field(BUDGET).count(), await visit.field(NAME).count()]).toEqual([0, 0]);
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.field('Offer conversation starters').uncheck();
    await visit.button('Save').click();
    await visit.page.getByText('Saved.').waitFor();
    expect(await saved()).toMatchObject({
      max_budget_per_task: 2,
      enable_proactive_conversation_starters: false,
    });
    expect(visit.takeFaults()).toEqual([]);
    await visit.close();
  });
});
