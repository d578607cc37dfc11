import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const ORGANIZATION = 'Models of the organization';
const OWN = 'Your models';
const CONNECTIONS = 'Connections to providers';
const HOSTILE = '<img src=x onerror=alert(1)>/שלום';

describeInBrowser('the page of models and providers', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let admin: TestCaller;
  let visit: ConsoleVisit;
  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' }, hasConsole: true });
    browser = await startBrowser();
  });
  beforeEach(async () => {
    const org = await makeOrg(service.db);
    admin = await makeCaller(service.db, org.id, 'admin');
    visit = await ConsoleVisit.open(browser!, service, admin, 'models');
  });
  afterEach(async () => {
    expect(visit.takeFaults()).toEqual([]);
    await visit.close();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });

  const profiles = (name = ''): string => `/api/organizations/${admin.orgId}/profiles${name}`;
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await call<object>(service, method, path, { key: admin.key, ...(body && { body }) });
    if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  it('says what there is not, and takes a model with its key, which is never shown', async () => {
    const { page } = visit;
    expect(await page.getByText('There is no model yet.').count()).toBe(2);
    await page.getByText('There is no connection yet.').waitFor();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);

    await visit.button('New model for the organization').click();
    await visit.field('Name').fill('Fast');
    await visit.field('Model').fill(HOSTILE);
    await visit.field('Base address of the API').fill('https://models.example.com/v1');
    await visit.field('Key').fill('sk-secret');
    await visit.field('Temperature').fill('0.5');
    await visit.field('Everything else').fill('{"timeout": -1, "what": 1}');
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.button('Save').click();
    await page.getByText('timeout: Input should be').waitFor();
    await page.getByText('what: Extra inputs').waitFor();
    expect(await visit.field('Everything else').getAttribute('aria-invalid')).toBe('true');
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);

    await visit.field('Everything else').fill('nothing of the kind');
    await visit.button('Save').click();
    await page.locator('.problem').getByText('This is no JSON object.').waitFor();
    await visit.field('Everything else').fill('{"timeout": 60, "extra_headers": {"x-team": "one"}}');
    await visit.button('Save').click();
    await page.getByText('The model Fast was saved.').waitFor();
    expect(await visit.focused()).toBe('New model for the organization');
    await eventually(async () =>
      expect(await visit.rows(ORGANIZATION)).toEqual([
        ['Fast ', HOSTILE, 'https://models.example.com/v1', 'is set', expect.stringContaining('Activate')],
      ]),
    );
    expect(await ask('GET', profiles('/Fast'))).toMatchObject({
      llm: { temperature: 0.5, timeout: 60, extra_headers: { 'x-team': '**********' }, api_key_set: true },
    });
    expect(await page.content()).not.toContain('sk-secret');
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
  });

  it('changes a model, of which stays what was not touched', async () => {
    const { page } = visit;
    await ask('POST', profiles('/Fast'), {
      llm: {
        model: 'openai/gpt-5',
        api_key: 'sk-one',
        temperature: 1,
        timeout: 60,
        seed: 3,
        extra_headers: { 'x-team': 'one' },
      },
    });
    await visit.goTo('models');
    await visit.button('Change: Fast').click();
    await visit.field('Temperature').fill('');
    const others = visit.field('Everything else');
    expect(JSON.parse(await others.inputValue())).toEqual({
      timeout: 60,
      seed: 3,
      extra_headers: { 'x-team': '**********' },
    });
    await others.fill('{"timeout": 30, "extra_headers": {"x-team": "**********", "x-more": "two"}}');
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.button('Save').click();
    await page.getByText('The model Fast was saved.').waitFor();
    expect(await ask('GET', profiles('/Fast'))).toMatchObject({
      llm: {
        model: 'openai/gpt-5',
        base_url: null,
        timeout: 30,
        api_key_set: true,
        extra_headers: { 'x-team': '**********', 'x-more': '**********' },
      },
    });
    expect(await ask('GET', profiles('/Fast'))).not.toHaveProperty('llm.seed');
    expect(await ask('GET', profiles('/Fast'))).not.toHaveProperty('llm.temperature');

    await visit.button('Change: Fast').click();
    await visit.field('Take the key away').check();
    await visit.button('Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await ask('GET', profiles('/Fast'))).toMatchObject({ llm: { api_key_set: false } });
  });

  it('activates, renames and deletes one', async () => {
    const { page } = visit;
    for (const name of ['/One', '/Two']) await ask('POST', profiles(name), { llm: { model: 'a/b' } });
    await visit.goTo('models');
    await visit.button('Activate: Two').click();
    await page.getByText('Conversations that start from now on run on Two.').waitFor();
    await page.getByRole('rowheader', { name: 'Two Active' }).waitFor();
    expect(await visit.focused()).not.toBe('BODY');
    expect(await ask('GET', profiles())).toMatchObject({ active_profile: 'Two' });

    await visit.button('Rename: Two').click();
    await visit.field('New name').fill('One');
    await visit.button('Rename').click();
    await page.getByRole('alert').waitFor();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.field('New name').fill('x'.repeat(100));
    await visit.button('Rename').click();
    await page.getByRole('rowheader', { name: `${'x'.repeat(100)} Active` }).waitFor();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);

    await visit.button('New model for the organization').click();
    await visit.field('Name').fill('One');
    await visit.field('Model').fill('c/d');
    await visit.button('Save').click();
    await page.locator('.problem').getByText('This name is taken.').waitFor();
    await visit.button('Cancel').click();
    expect(await ask('GET', profiles('/One'))).toMatchObject({ llm: { model: 'a/b' } });

    await visit.button('Delete: One').click();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.button('Delete').click();
    await page.getByText('The model One was deleted.').waitFor();
    await page.getByRole('rowheader', { name: 'One', exact: true }).waitFor({ state: 'detached' });
    expect(await visit.focused()).not.toBe('BODY');
    expect(await ask('GET', profiles())).toMatchObject({ profiles: [{ name: 'x'.repeat(100) }] });
  });

  it('connects the organization to a provider, which models can name', async () => {
    const { page } = visit;
    const path = `/api/organizations/${admin.orgId}/provider-connections`;
    await visit.button('Connect').click();
    await visit.field('Provider').fill('openai');
    await visit.field('Key').fill('sk-secret');
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click();
    await page.getByText('openai is connected.').waitFor();
    await eventually(async () =>
      expect(await visit.rows(CONNECTIONS)).toEqual([
        ['openai', 'the provider’s own', 'is set', expect.any(String)],
      ]),
    );
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    const [connection] = await service.db.query<[{ id: string }]>(
      'SELECT id FROM provider_connections WHERE org_id = $1',
      [admin.orgId],
    );

    await visit.button('New model for you').click();
    await visit.field('Name').fill('Mine');
    await visit.field('Model').fill('openai/gpt-5');
    await visit.field('Connection').selectOption('openai');
    await visit.button('Save').click();
    await page.getByText('The model Mine was saved.').waitFor();
    expect(await ask('GET', '/api/v1/settings/profiles/Mine')).toMatchObject({
      llm: { provider_connection_id: connection.id },
    });
    await eventually(async () => expect(await visit.rows(OWN)).toHaveLength(1));

    await visit.button('Change: openai').click();
    await visit.field('Base address of the API').fill('ftp://x');
    await visit.button('Save').click();
    await page.getByRole('alert').waitFor();
    expect(await visit.field('Base address of the API').getAttribute('aria-invalid')).toBe('true');
    await visit.field('Base address of the API').fill('https://models.example.com');
    await visit.button('Save').click();
    await page.getByText('The connection to openai was saved.').waitFor();
    expect(await ask('GET', path)).toMatchObject({
      connections: [{ base_url: 'https://models.example.com', api_key_set: false }],
    });
    await visit.button('Delete: openai').click();
    await visit.button('Delete').click();
    await page.getByText('There is no connection yet.').waitFor();
    expect(await visit.focused()).not.toBe('BODY');
    expect(await ask('GET', path)).toEqual({ connections: [] });
  });

  it('offers models that are known by what is typed', async () => {
    const { page } = visit;
    for (const name of ['/One', '/Two'])
      await ask('POST', profiles(name), { llm: { model: `known${name}` } });
    await visit.button('New model for you').click();
    await visit.field('Model').fill('known/T');
    await page.locator('datalist option[value="known/Two"]').waitFor({ state: 'attached' });
    await page.locator('datalist option[value="known/One"]').waitFor({ state: 'detached' });
  });

  it('shows members what the organization has, and lets them keep models of their own', async () => {
    await ask('POST', profiles('/Fast'), { llm: { model: 'openai/gpt-5' } });
    const caller = await makeCaller(service.db, admin.orgId, 'member');
    const member = await ConsoleVisit.open(browser!, service, caller, 'models');
    expect(await member.rows(ORGANIZATION)).toEqual([
      ['Fast ', 'openai/gpt-5', 'the provider’s own', 'none'],
    ]);
    expect(await member.button('New model for the organization').count()).toBe(0);
    expect(await member.button('Connect').count()).toBe(0);
    expect(await member.button('New model for you').count()).toBe(1);
    expect(await member.obstaclesOfAllKinds()).toEqual([]);
    expect(member.takeFaults()).toEqual([]);
    await member.close();
    const owner = await ConsoleVisit.open(
      browser!,
      service,
      await makeCaller(service.db, admin.orgId, 'owner'),
      'models',
    );
    expect(await owner.button('Delete: Fast').count()).toBe(1);
    expect(await owner.button('Connect').count()).toBe(1);
    await owner.close();
  });
});
