import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { ModelCalls } from '../../../src/agents/budgets';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { callOf, makeConversation, outcomeOf } from '../../support/budgets/spending';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import { storeConversation, type StoredConversation } from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';

const DAY_MS = 86_400_000;
const HOSTILE = '<img src=x onerror=alert(1)> שלום';

describeInBrowser('the usage', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let admin: TestCaller;
  let member: TestCaller;

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
    member = await makeCaller(service.db, admin.orgId, 'member');
  });

  const visit = (path: string, caller: TestCaller = admin) =>
    ConsoleVisit.open(browser!, service, { key: caller.key, orgId: admin.orgId }, path);
  const store = (daysAgo: number, fields: Partial<StoredConversation>): Promise<StoredConversation> => {
    const time = new Date(Date.now() - daysAgo * DAY_MS);
    return storeConversation(service.db, {
      org_id: admin.orgId,
      created_by_user_id: admin.userId,
      created_at: time,
      updated_at: time,
      ...fields,
    });
  };
  const dayOf = (daysAgo: number): string =>
    new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

  it('is shown by day, user, model, repository or tag, of any days, as chart, table and file', async () => {
    await store(0, {
      llm_model: 'openai/gpt-5',
      accumulated_cost: 1.5,
      prompt_tokens: 2_000_000,
      completion_tokens: 500,
      cache_read_tokens: 700,
      tags: { team: 'shop' },
    });
    await store(8, { llm_model: HOSTILE, accumulated_cost: 4, created_by_user_id: member.userId });
    await store(60, { llm_model: 'old/model', accumulated_cost: 100, selected_repository: 'acme/old' });
    const seen = await visit('usage');
    await eventually(async () => expect(await seen.rows('By day')).toHaveLength(30));
    expect((await seen.rows('By day')).at(-1)?.slice(1)).toEqual([
      '1',
      '$1.50',
      '2,000,500',
      '2,000,000',
      '500',
      '700',
      '0',
    ]);
    await seen.page.getByText('$5.50', { exact: true }).waitFor();
    expect(await seen.page.locator('.chart.days svg').count()).toBe(1);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);

    await seen.field('By').selectOption('Model');
    await eventually(async () =>
      expect((await seen.rows('By model')).map(([name, , cost]) => [name, cost])).toEqual([
        [HOSTILE, '$4.00'],
        ['openai/gpt-5', '$1.50'],
      ]),
    );
    expect(await seen.page.locator('.chart .ct-bar').count()).toBe(2);
    await seen.field('Compare by').selectOption('Tokens');
    await seen.page.locator('.ct-figure').getByText('2M').waitFor();
    expect(seen.page.url()).toMatch(/\?by=model&measure=tokens$/);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    const download = seen.page.waitForEvent('download');
    await seen.button('Download as CSV').click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[2]).toContain('openai/gpt-5');

    await seen.field('By').selectOption('Creator');
    await eventually(async () =>
      expect((await seen.rows('By creator')).map(([name]) => name)).toEqual([member.email, admin.email]),
    );
    await seen.field('By').selectOption('Repository');
    await seen.field('Period').selectOption('Other days');
    await seen.field('First day').fill(dayOf(61));
    await seen.field('Last day').fill(dayOf(59));
    await seen.button('Show').click();
    await eventually(async () =>
      expect((await seen.rows('By repository')).map(([name, , cost]) => [name, cost])).toEqual([
        ['acme/old', '$100.00'],
      ]),
    );
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.page.reload();
    await seen.row('acme/old').waitFor();
    await seen.field('First day').fill(dayOf(1));
    await seen.button('Show').click();
    await seen.page.getByRole('alert').getByText('it ends before it begins').waitFor();
    await seen.page.goBack();
    await seen.row('acme/old').waitFor();
    await seen.field('Period').selectOption('This month');
    await seen.page
      .getByText('Nothing was used in this period.')
      .or(seen.row('without a repository'))
      .waitFor();
    expect(await seen.field('First day').count()).toBe(0);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('is their own for members, and for admins who want that', async () => {
    await store(1, { accumulated_cost: 4, created_by_user_id: member.userId });
    await store(2, { accumulated_cost: 1 });
    const conversation = await makeConversation(service.db, {
      orgId: admin.orgId,
      userId: member.userId,
      repository: 'acme/shop',
    });
    const calls = service.app.get(ModelCalls);
    await calls.settle(await calls.reserve(callOf(conversation, 1)), outcomeOf(0.25));
    const seen = await visit('usage', member);
    expect(await seen.menu()).toContain('Usage');
    expect(await seen.menu()).not.toContain('Overview');
    await seen.page.getByText('$4.25', { exact: true }).waitFor();
    expect((await seen.rows('By day')).slice(-2).map(([, , cost]) => cost)).toEqual(['$4.00', '$0.25']);
    expect(await seen.field('Whose usage').count()).toBe(0);
    expect(await seen.button('Download as CSV').count()).toBe(0);
    expect(await seen.page.getByRole('link', { name: 'Call by call' }).count()).toBe(0);
    expect(await seen.field('By').locator('option').allTextContents()).not.toContain('Creator');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.field('By').selectOption('Repository');
    await eventually(async () =>
      expect((await seen.rows('By repository')).map(([name, , cost]) => [name, cost])).toEqual([
        ['without a repository', '$4.00'],
        ['acme/shop', '$0.25'],
      ]),
    );
    await seen.goTo('usage/calls');
    await seen.page.getByText('Your role does not include this page.').waitFor();
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();

    const other = await visit('usage?of=own');
    await other.page.getByText('$1.00', { exact: true }).first().waitFor();
    expect(await other.field('Whose usage').inputValue()).toBe('own');
    await other.field('Whose usage').selectOption('The organization’s');
    await other.page.getByText('$5.25', { exact: true }).waitFor();
    expect(other.takeFaults()).toEqual([]);
    await other.close();
  });

  it('has each call of a model in the ledger, by model, user, conversation and status', async () => {
    const [one, two] = [
      await makeConversation(service.db, { orgId: admin.orgId, userId: member.userId, repository: HOSTILE }),
      await makeConversation(service.db, { orgId: admin.orgId, userId: admin.userId }),
    ];
    const calls = service.app.get(ModelCalls);
    await calls.settle(await calls.reserve(callOf(one, 1)), {
      ...outcomeOf(0.25, 12_000, 800),
      tokens: { prompt: 12_000, completion: 800, cacheRead: 9_000, cacheWrite: 0 },
    });
    await calls.settle(await calls.reserve({ ...callOf(two, 1), model: `odd/${'m'.repeat(200)}` }), {
      ...outcomeOf(0),
      status: 'failed',
      httpStatus: 529,
      firstByteMs: null,
    });
    await calls.reserve(callOf(two, 1.75));
    const seen = await visit('usage');
    await seen.page.getByRole('link', { name: 'Call by call' }).click();
    await eventually(async () => expect(await seen.rows('Calls of models')).toHaveLength(3));
    const rows = await seen.rows('Calls of models');
    expect(rows.map((cells) => cells.slice(3, 8))).toEqual([
      ['at most $1.75', 'Under way', '0', '0', '–'],
      ['$0.00', 'Failedanswered with 529', '10', '5', '12 ms'],
      ['$0.25', 'Done', '12,0009,000 of a cache', '800', '12 msfirst 3 ms'],
    ]);
    expect([rows[2]?.[2], rows[2]?.[8]]).toEqual([member.email, one.id.slice(0, 8) + HOSTILE]);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);

    await seen.field('Status').selectOption('Failed');
    await seen.button('Filter').click();
    await eventually(async () => expect(await seen.rows('Calls of models')).toHaveLength(1));
    expect(seen.page.url()).toMatch(/\?status=failed$/);
    await seen.button('Clear the filters').click();
    await eventually(async () => expect(await seen.rows('Calls of models')).toHaveLength(3));
    await seen.field('Whose').fill('nobody@example.com');
    await seen.button('Filter').click();
    await seen.page.getByText('No member has this address.').waitFor();
    await seen.field('Whose').fill(member.email);
    await seen.field('Model').fill('openai/gpt-test');
    await seen.button('Filter').click();
    await eventually(async () => expect(await seen.rows('Calls of models')).toHaveLength(1));
    expect(await seen.field('Whose').inputValue()).toBe(member.userId);
    await seen.field('Conversation').fill(two.id);
    await seen.button('Filter').click();
    await seen.page.getByText('No call has all of this.').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.page.goBack();
    await seen.row('Done').waitFor();
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });
});
