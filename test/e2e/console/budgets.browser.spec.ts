import type { Browser } from 'playwright-core';
import { ModelCalls } from '../../../src/agents/budgets';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { callOf, makeBudget, makeConversation, outcomeOf } from '../../support/budgets/spending';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const HOSTILE = 'team:<img src=x onerror=alert(1)> فريق';
const NOT_ALLOWED = 'Your role does not include this page.';
const RAISED = 'The release needs it <b>now</b>';

describeInBrowser('budgets', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let admin: TestCaller;

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' }, hasConsole: true });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });
  beforeEach(async () => {
    admin = await makeCaller(service.db, (await makeOrg(service.db)).id, 'admin');
  });

  const visit = (caller: TestCaller = admin, path = 'budgets') =>
    ConsoleVisit.open(browser!, service, { key: caller.key, orgId: admin.orgId }, path);
  const submit = (seen: ConsoleVisit, name: string) =>
    seen.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const read = async <T>(path: string): Promise<T[]> =>
    (await call<{ items: T[] }>(service, 'GET', `/api/organizations/${admin.orgId}/${path}`, admin)).body
      .items;
  const budgets = () => read<Record<string, unknown>>('budgets/search');
  /** How far the parts of the bar of a row reach, in hundredths of its width. */
  const parts = async (seen: ConsoleVisit, row: string): Promise<Record<string, number>> => {
    const bar = seen.row(row).locator('svg.spending').first();
    const width = async (of: string): Promise<number> =>
      (await bar.locator(`.spending-${of}`).boundingBox())?.width ?? 0;
    const whole = await width('limit');
    return {
      spent: Math.round(((await width('spent')) / whole) * 100),
      reserved: Math.round(((await width('reserved')) / whole) * 100),
    };
  };

  it('an admin makes budgets of all that there may be one of, and is told what is wrong', async () => {
    const conversation = await makeConversation(service.db, { orgId: admin.orgId });
    const seen = await visit();
    await seen.page.getByText('There is no budget yet.').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    const fill = async (scope: string, subject: [label: string, value: string] | null): Promise<void> => {
      await seen.button('New budget').click();
      await seen.field('What it is about').selectOption(scope);
      if (subject !== null) await seen.field(subject[0]).fill(subject[1]);
    };
    await fill('A person or a service account', ['Person', 'nobody@example.com']);
    await seen.field('Limit in dollars').fill('12.5');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Make');
    await seen.page.getByRole('alert').getByText('No member has this address.').waitFor();
    await seen.field('Person').fill(admin.email.toUpperCase());
    await seen.field('Period').selectOption('each day');
    await submit(seen, 'Make');
    await seen.row('A person or a service account').getByText(admin.email).waitFor();
    await eventually(async () => expect(await seen.focused()).toBe('New budget'));

    await fill('The organization', null);
    await submit(seen, 'Make');
    // One of the limits is needed.
    expect(await seen.page.locator('dialog :invalid').count()).toBeGreaterThan(0);
    await seen.field('Limit in tokens').fill('5000000');
    await seen.field('Soft limit, in percent').fill('');
    await submit(seen, 'Make');
    await eventually(async () => expect(await budgets()).toHaveLength(2));
    await fill('A tag', ['Tag', HOSTILE]);
    await seen.field('Limit in dollars').fill('0');
    await seen.field('Period').selectOption('in all');
    await submit(seen, 'Make');
    await eventually(async () => expect(await budgets()).toHaveLength(3));
    await fill('A conversation', ['Id of the conversation', conversation.id]);
    await seen.field('Limit in dollars').fill('3');
    await submit(seen, 'Make');
    await eventually(async () => expect(await budgets()).toHaveLength(4));
    await fill('Each person and service account', null);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.field('Limit in dollars').fill('20');
    await submit(seen, 'Make');
    await seen.row('Each person and service account').getByText('$20.00 each').waitFor();
    await fill('The organization', null);
    await seen.field('Limit in dollars').fill('3');
    await submit(seen, 'Make');
    await seen.page.getByRole('alert').getByText('has a budget of this scope').waitFor();
    await submit(seen, 'Cancel');
    const made = await budgets();
    for (const expected of [
      {
        scope: 'user',
        subject: admin.userId,
        period: 'day',
        limit_usd: 12.5,
        limit_tokens: null,
        soft_percent: 80,
      },
      {
        scope: 'organization',
        subject: null,
        period: 'month',
        limit_usd: null,
        limit_tokens: 5_000_000,
        soft_percent: null,
      },
      { scope: 'each_user', subject: null, period: 'month', limit_usd: 20 },
      { scope: 'tag', subject: HOSTILE, period: 'total', limit_usd: 0 },
      { scope: 'conversation', subject: conversation.id, period: 'month', limit_usd: 3 },
    ])
      expect(made).toContainEqual(expect.objectContaining(expected));
    await seen.row(HOSTILE).waitFor();
    expect(await seen.page.getByRole('link', { name: conversation.id }).getAttribute('href')).toBe(
      `/console/${admin.orgId}/conversations/${conversation.id}`,
    );
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('what is spent and reserved stands in bars, and when a budget is open again', async () => {
    const conversation = await makeConversation(service.db, { orgId: admin.orgId, repository: 'acme/shop' });
    const { orgId } = admin;
    await makeBudget(service.db, orgId, { period: 'month', usd: 10, tokens: 1_000, softPercent: 50 });
    await makeBudget(service.db, orgId, {
      scope: 'repository',
      subject: 'acme/shop',
      period: 'day',
      usd: 6,
    });
    const calls = service.app.get(ModelCalls);
    const settle = async (cost: number): Promise<void> =>
      calls.settle(await calls.reserve(callOf(conversation, cost)), outcomeOf(cost));
    await settle(2.5);
    await calls.reserve(callOf(conversation, 2));
    const seen = await visit();
    await seen.row('The organization').getByText('$2.50 of $10.00').waitFor();
    await seen.row('The organization').getByText('and $2.00 reserved for calls under way').waitFor();
    expect(await parts(seen, 'The organization')).toEqual({ spent: 25, reserved: 20 });
    await seen.row('The organization').getByText('15 of 1,000').waitFor();
    await seen.row('The organization').getByText('50%').waitFor();
    await seen.row('The organization').getByText(/^open/).waitFor();
    await seen.row('acme/shop').getByText('$2.50 of $6.00').waitFor();
    await seen.row('acme/shop').getByText('no limit').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);

    await settle(1.5);
    await service.db.query(
      `UPDATE budget_spending s SET spent_usd = 10, exhausted_at = now(), soft_reached_at = now()
         FROM budgets b WHERE b.id = s.budget_id AND b.org_id = $1 AND b.scope = 'organization'`,
      [orgId],
    );
    await service.db.query(
      `UPDATE budget_spending s SET soft_reached_at = now()
         FROM budgets b WHERE b.id = s.budget_id AND b.org_id = $1 AND b.scope = 'repository'`,
      [orgId],
    );
    await seen.button('Look again').click();
    await seen.row('The organization').getByText('exhausted', { exact: true }).waitFor();
    await seen
      .row('The organization')
      .getByText(/^Open again \w{3} 1, 20\d\d/)
      .waitFor();
    await seen.row('acme/shop').getByText('little is left').waitFor();
    expect(await parts(seen, 'The organization')).toEqual({ spent: 100, reserved: 0 });
    expect(await parts(seen, 'acme/shop')).toEqual({ spent: 67, reserved: 33 });
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('a limit is raised with a reason, and a budget is deleted after it is said what that does', async () => {
    const owner = await makeCaller(service.db, admin.orgId, 'owner');
    await makeBudget(service.db, admin.orgId, { period: 'month', usd: 10, softPercent: 80 });
    const seen = await visit(owner);
    const change = seen.page.getByRole('button', { name: 'Change: The organization, each month' });
    await change.click();
    await seen.field('Limit in dollars').fill('5');
    expect(await seen.field('Why it is raised').count()).toBe(0);
    await submit(seen, 'Save');
    await eventually(async () => expect(await budgets()).toMatchObject([{ limit_usd: 5 }]));
    await seen.page.getByText('The budget was changed.').waitFor();

    await change.click();
    await seen.field('Limit in dollars').fill('');
    await seen.field('Limit in tokens').fill('10');
    await seen.field('Why it is raised').waitFor();
    await seen.field('Limit in dollars').fill('20.25');
    await submit(seen, 'Save');
    expect(await seen.page.locator('dialog textarea:invalid').count()).toBe(1);
    await seen.field('Why it is raised').fill(RAISED);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Save');
    await eventually(async () =>
      expect(await budgets()).toMatchObject([{ limit_usd: 20.25, limit_tokens: 10 }]),
    );
    await eventually(async () => expect(await seen.focused()).toBe('Change: The organization, each month'));
    // The trigger of the audit log takes it from there.
    expect(await service.db.query('SELECT reason FROM budgets WHERE org_id = $1', [admin.orgId])).toEqual([
      { reason: RAISED },
    ]);

    await seen.page.getByRole('button', { name: 'Delete: The organization, each month' }).click();
    await seen.page.getByText('messages that wait for it go on').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Delete');
    await seen.page.getByText('There is no budget yet.').waitFor();
    expect(await budgets()).toEqual([]);
    await eventually(async () => expect(await seen.focused()).not.toBe('BODY'));
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('are switched off and on, each by itself with a reason, and the monthly ones together', async () => {
    await makeBudget(service.db, admin.orgId, { period: 'month', usd: 10 });
    await makeBudget(service.db, admin.orgId, {
      scope: 'repository',
      subject: 'acme/shop',
      period: 'day',
      usd: 6,
    });
    const enabled = async (): Promise<unknown> =>
      Object.fromEntries((await budgets()).map((budget) => [budget['scope'], budget['enabled']]));
    const seen = await visit();
    await seen.page.getByText('The monthly budgets of the organization and of people are on.').waitFor();
    await seen.button('Switch the monthly budgets off').click();
    await seen.page.getByText('their limits stay').waitFor();
    await seen.field('Why nothing is limited').fill(RAISED);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Switch off');
    await seen.page.getByText('are off: they limit nothing.').waitFor();
    await seen.row('The organization').getByText('off', { exact: true }).waitFor();
    expect(await enabled()).toEqual({ organization: false, repository: true });
    expect(
      await service.db.query(`SELECT reason FROM budgets WHERE NOT enabled AND org_id = $1`, [admin.orgId]),
    ).toEqual([{ reason: RAISED }]);
    await seen.button('Switch the monthly budgets on').click();
    await submit(seen, 'Switch on');
    await seen.row('The organization').getByText(/^open/).waitFor();
    expect(await enabled()).toEqual({ organization: true, repository: true });

    await seen.button('Switch off: Repository acme/shop, each day').click();
    await submit(seen, 'Switch off');
    expect(await seen.page.locator('dialog textarea:invalid').count()).toBe(1);
    await seen.field('Why nothing is limited').fill(RAISED);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Switch off');
    await seen.row('acme/shop').getByText('off', { exact: true }).waitFor();
    await eventually(async () =>
      expect(await seen.focused()).toBe('Switch on: Repository acme/shop, each day'),
    );
    expect(await enabled()).toEqual({ organization: true, repository: false });
    await seen.button('Switch on: Repository acme/shop, each day').click();
    await submit(seen, 'Switch on');
    await seen.row('acme/shop').getByText(/^open/).waitFor();
    expect(await enabled()).toEqual({ organization: true, repository: true });
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('says why they cannot be shown; there are pages of them, and members have none', async () => {
    for (let n = 0; n < 51; n++)
      await makeBudget(service.db, admin.orgId, { scope: 'repository', subject: `acme/${n}`, usd: n });
    const seen = await visit(admin, 'people');
    await seen.page.route(/\/budgets\/search\?/, (route) =>
      route.fulfill({ status: 400, json: { detail: HOSTILE } }),
    );
    await seen.page.getByRole('link', { name: 'Budgets' }).click();
    await seen.page.getByRole('alert').getByText(HOSTILE).waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.page.unrouteAll();
    await seen.button('Try again').click();
    await eventually(async () => expect(await seen.rows('Budgets')).toHaveLength(50));
    await seen.button('Next page').click();
    await eventually(async () => expect(await seen.rows('Budgets')).toHaveLength(1));
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();

    const member = await visit(await makeCaller(service.db, admin.orgId, 'member'));
    expect(await member.menu()).not.toContain('Budgets');
    await member.page.getByRole('heading', { level: 1, name: NOT_ALLOWED }).waitFor();
    expect(member.takeFaults()).toEqual([]);
    await member.close();
  });
});
