import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const HOSTILE = '<img src=x onerror=alert(1)> نموذج';

describeInBrowser('which models may be used, and what they cost', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let admin: TestCaller;

  beforeAll(async () => {
    const env = {
      APP_ROLE: 'api',
      LLM_ALLOWED_MODELS: 'openai/*,anthropic/*',
      MODEL_PRICES: JSON.stringify({ 'house/*': { input: 0.025, output: 1.5 } }),
    };
    service = await startTestApp({ env, hasConsole: true });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });
  beforeEach(async () => {
    admin = await makeCaller(service.db, (await makeOrg(service.db)).id, 'admin');
  });

  const visit = (caller: TestCaller = admin, path = 'model-policy') =>
    ConsoleVisit.open(browser!, service, { key: caller.key, orgId: admin.orgId }, path);
  const policy = async () =>
    (
      await call<Record<string, unknown>>(
        service,
        'GET',
        `/api/organizations/${admin.orgId}/model-policy`,
        admin,
      )
    ).body;
  /** What is said of a fact of the policy. */
  const fact = (seen: ConsoleVisit, name: string) =>
    seen.page
      .locator('.facts > div')
      .filter({ has: seen.page.getByText(name, { exact: true }) })
      .locator('dd');
  const group = (seen: ConsoleVisit, name: string) => seen.page.getByRole('group', { name, exact: true });
  const set = (seen: ConsoleVisit) =>
    seen.page.getByRole('dialog').getByRole('button', { name: 'Set', exact: true }).click();

  it('an admin decides which models the organization and its members may use, and how long answers are', async () => {
    const seen = await visit();
    expect(await fact(seen, 'The organization').textContent()).toContain('What the installation allows:');
    expect(await fact(seen, 'The organization').getByRole('listitem').allTextContents()).toEqual([
      'openai/*',
      'anthropic/*',
    ]);
    expect(await fact(seen, 'Set').textContent()).toBe('nothing is set here');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);

    const change = seen.page.locator('section').first().getByRole('button', { name: 'Change' });
    await change.click();
    await group(seen, 'The organization').getByLabel('Only these').check();
    await seen.field('Patterns of models: The organization').fill('openai/gpt-5*\n\n anthropic/* ');
    await seen.field('Most tokens of one answer').fill('16000');
    await seen.page.getByText('Fewer models for a role').click();
    await group(seen, 'Members').getByLabel('Only these').check();
    await group(seen, 'Members').getByText('No model: no conversation can start.').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.field('Patterns of models: Members').fill('not one');
    await set(seen);
    await seen.page.getByRole('alert').waitFor();
    expect(await seen.field('Patterns of models: Members').getAttribute('aria-invalid')).toBe('true');
    await seen.field('Patterns of models: Members').fill('openai/gpt-5-mini');
    await set(seen);
    await eventually(async () => expect(await fact(seen, 'Members').textContent()).toBe('openai/gpt-5-mini'));
    expect(await policy()).toMatchObject({
      allowed_models: ['openai/gpt-5*', 'anthropic/*'],
      allowed_by_role: { member: ['openai/gpt-5-mini'], admin: null, owner: null },
      max_output_tokens: 16_000,
    });
    expect(await fact(seen, 'Admins').textContent()).toBe('All of those');
    expect(await fact(seen, 'Most tokens of one answer').textContent()).toBe('16,000');
    await eventually(async () => expect(await seen.focused()).toBe('Change'));
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);

    await change.click();
    expect(await seen.field('Patterns of models: Members').inputValue()).toBe('openai/gpt-5-mini');
    await seen.field('Patterns of models: The organization').fill('');
    await group(seen, 'Members').getByLabel('All of those').check();
    await seen.field('Most tokens of one answer').fill('');
    await set(seen);
    await eventually(async () =>
      expect(await fact(seen, 'The organization').textContent()).toBe('No model: no conversation can start.'),
    );
    expect(await policy()).toMatchObject({
      allowed_models: [],
      max_output_tokens: null,
      allowed_by_role: { member: null, admin: null, owner: null },
    });

    await change.click();
    await group(seen, 'The organization')
      .getByLabel('What the installation allows: openai/*, anthropic/*')
      .check();
    await set(seen);
    await seen.page.getByText('What the installation allows:').waitFor();
    await eventually(async () => expect(await policy()).toMatchObject({ allowed_models: null }));
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('prices have their source and date, and are looked for by name in the address', async () => {
    const seen = await visit(admin, 'model-policy?model=GPT-5-mini');
    const found = (await seen.rows('Prices')).find(([model]) => model === 'openai/gpt-5-mini ');
    expect(found?.slice(0, 3)).toEqual(['openai/gpt-5-mini ', '$0.25', '$2.00']);
    expect(found?.at(-1)).toMatch(/^price lists\w{3} \d+, 20\d\d$/);
    await seen.page.getByRole('searchbox', { name: 'Model' }).fill('house/');
    await eventually(async () =>
      expect(await seen.rows('Prices')).toEqual([
        ['house/* ', '$0.025', '$1.50', '$0.025', '$0.025', '–', 'set here'],
      ]),
    );
    expect(seen.page.url()).toMatch(/\?model=house%2F$/);
    await seen.page.getByRole('searchbox', { name: 'Model' }).fill('none of this name');
    await seen.page.getByText('No model with a price has this in its name.').waitFor();
    await seen.page.getByRole('searchbox', { name: 'Model' }).fill('');
    await seen.button('Next page').click();
    await eventually(() => expect(seen.page.url()).toMatch(/\?page=2$/));
    expect(await seen.rows('Prices')).toHaveLength(25);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    const refused = seen.page.getByText('not allowed', { exact: true });
    expect(await refused.count()).toBeGreaterThan(0);
    await seen.page.getByLabel('Only models that you may use').check();
    await eventually(async () => expect((await seen.rows('Prices'))[0]?.[0]).toBe('house/* '));
    expect(await refused.count()).toBe(0);
    await seen.page.getByText('The gateway refuses models whose price is not known.').waitFor();
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('what was refused in the last day is counted by model and reason', async () => {
    const seen = await visit();
    await seen.page.getByText('No model was refused in the last day.').waitFor();
    const refuse = (model: string, code: string, count: number, hours: number) =>
      service.db.query(
        `INSERT INTO model_refusals (org_id, hour, code, model, count, last_at)
         VALUES ($1, date_trunc('hour', now() - $5 * interval '1 hour', 'UTC'), $2, $3, $4, now() - $5 * interval '1 hour')`,
        [admin.orgId, code, model, count, hours],
      );
    await refuse(HOSTILE, 'model_not_allowed', 1_200, 2);
    await refuse('openai/gpt-5', 'budget_exhausted', 3, 1);
    await refuse('*', 'model_price_unknown', 2, 1);
    await refuse('old/model', 'model_not_allowed', 9, 40);
    await seen.button('Look again').click();
    await seen.row('openai/gpt-5').first().waitFor();
    expect((await seen.rows('Refused in the last day')).map((cells) => cells.slice(0, 4))).toEqual([
      [HOSTILE, 'It is not allowedmodel_not_allowed', '1,200', '2 hours ago'],
      ['openai/gpt-5', 'A budget had no roombudget_exhausted', '3', '1 hour ago'],
      ['all other models', 'Its price is not knownmodel_price_unknown', '2', '1 hour ago'],
    ]);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('says why it cannot show them; members read them, and change nothing', async () => {
    const seen = await visit(admin, 'people');
    await seen.page.route(/\/model-(policy|prices|refusals)$/, (route) =>
      route.fulfill({ status: 400, json: { detail: HOSTILE } }),
    );
    await seen.page.getByRole('link', { name: 'Model policy' }).click();
    await eventually(async () => expect(await seen.page.getByRole('alert').count()).toBe(3));
    expect(await seen.page.getByText(HOSTILE).count()).toBe(3);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.page.unrouteAll();
    await seen.button('Try again').last().click();
    await seen.row('house/*').waitFor();
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();

    const member = await visit(await makeCaller(service.db, admin.orgId, 'member'));
    await fact(member, 'The organization').waitFor();
    await member.row('house/*').waitFor();
    expect(await member.button('Change').count()).toBe(0);
    expect(member.takeFaults()).toEqual([]);
    await member.close();
  });
});
