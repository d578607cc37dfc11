import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { TestGitServer } from '../../support/git/git-server';
import { manifest } from '../../support/git/marketplaces';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const ORGANIZATION = 'Marketplaces of the organization';
const OWN = 'Your marketplaces';
const HOSTILE = '<img src=x onerror=alert(1)> שלום';

describeInBrowser('the page of marketplaces', () => {
  let git: TestGitServer;
  let service: TestApp;
  let browser: Browser | undefined;
  let admin: TestCaller;
  let visit: ConsoleVisit;
  beforeAll(async () => {
    git = await TestGitServer.start();
    await git.repository('market', {
      '.claude-plugin/marketplace.json': manifest([{ name: 'review', description: HOSTILE }]),
    });
    await git.repository('skills', {
      'skills/ship/SKILL.md': `---\nname: ship\ntriggers:\n  - deploy\n  - ship it\n---\nShip it.`,
    });
    service = await startTestApp({
      env: { APP_ROLE: 'api', GIT_ALLOWED_HOSTS: git.host },
      hasConsole: true,
    });
    browser = await startBrowser();
  });
  beforeEach(async () => {
    const org = await makeOrg(service.db);
    admin = await makeCaller(service.db, org.id, 'admin');
    visit = await ConsoleVisit.open(browser!, service, admin, 'marketplaces');
  });
  afterEach(async () => {
    expect(visit.takeFaults()).toEqual([]);
    await visit.close();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
    await git.close();
  });

  const saved = async (path: string): Promise<unknown> =>
    (await call(service, 'GET', path, { key: admin.key })).body;
  const register = async (registrations: readonly object[]): Promise<void> => {
    const { status } = await call(service, 'POST', '/api/organizations/app', {
      key: admin.key,
      body: { registered_marketplaces: registrations },
    });
    expect(status).toBe(200);
  };

  it('registers one for the organization, after a look at what it would load', async () => {
    const { page } = visit;
    expect(await page.getByText('No marketplace is registered.').count()).toBe(2);
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.button('Register for the organization').click();
    await visit.field('Name').fill('1team');
    await visit.field('Source').fill(git.url('market'));
    await visit.field('Branch, tag or commit').fill('main');
    await visit.field('Load all of its plugins with every conversation').check();
    await visit.button('Save').click();
    await page.getByRole('alert').getByText('Request id:').waitFor();
    expect(await visit.field('Name').getAttribute('aria-invalid')).toBe('true');
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);

    await visit.field('Name').fill('team');
    await visit.button('Preview').click();
    await page.getByRole('region', { name: 'Plugins' }).waitFor();
    expect(await visit.rows('Plugins')).toEqual([['review', 'team', HOSTILE]]);
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.button('Save').click();
    await page.getByText('team is registered.').waitFor();
    expect(await visit.focused()).toBe('Register for the organization');
    expect(await visit.rows(ORGANIZATION)).toEqual([
      ['team', git.url('market'), 'main', '–', 'with every conversation', expect.any(String)],
    ]);
    expect(await saved('/api/organizations/app')).toMatchObject({
      registered_marketplaces: [
        { name: 'team', source: git.url('market'), ref: 'main', repo_path: null, auto_load: true },
      ],
    });
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
  });

  it('shows what all of them would load, with the errors', async () => {
    const { page } = visit;
    await register([
      { name: 'market', source: git.url('market') },
      { name: 'skills', source: git.url('skills') },
      { name: 'gone', source: git.url('gone') },
      { name: 'long', source: `github:acme/${'x'.repeat(500)}` },
    ]);
    await visit.goTo('marketplaces');
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.button('Preview: skills').click();
    await page.getByRole('region', { name: 'Skills' }).waitFor();
    expect(await visit.rows('Skills')).toEqual([
      ['ship', 'marketplace:skills', 'knowledge', 'deploy, ship it'],
    ]);
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.button('Close').click();
    expect(await visit.focused()).toBe('Preview: skills');

    await visit.button('Remove: long').click();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.button('Remove').click();
    await page.getByText('long was removed.').waitFor();
    await page.getByRole('rowheader', { name: 'long' }).waitFor({ state: 'detached' });
    expect(await visit.focused()).not.toBe('BODY');

    await visit.button('Preview those of the organization').click();
    await page.getByRole('alert').getByText('gone: there is no such repository').waitFor();
    expect(await visit.rows('Plugins')).toHaveLength(1);
    expect(await visit.rows('Skills')).toHaveLength(1);
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
  });

  it('changes one upon what somebody else has saved meanwhile, after saying so', async () => {
    const { page } = visit;
    const source = git.url('market');
    await register([{ name: 'one', source, ref: 'main', repo_path: 'a', auto_load: true }]);
    await visit.goTo('marketplaces');
    await visit.button('Change: one').click();
    await register([
      { name: 'two', source },
      { name: 'one', source, ref: 'main', repo_path: 'a', auto_load: true },
    ]);
    await visit.field('Name').fill('first');
    await visit.field('Folder').fill('');
    await visit.button('Save').click();
    await page.getByRole('alert').getByText('Request id:').waitFor();
    expect(await visit.field('Name').inputValue()).toBe('first');
    await page.getByText('two').first().waitFor();
    await visit.button('Save').click();
    await page.getByText('first was changed.').waitFor();
    expect(await saved('/api/organizations/app')).toMatchObject({
      registered_marketplaces: [
        { name: 'two' },
        { name: 'first', ref: 'main', repo_path: null, auto_load: true },
      ],
    });
    await visit.button('Change: first').click();
    await visit.field('Name').fill('two');
    await visit.button('Save').click();
    await page.getByRole('alert').getByText('two').waitFor();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
  });

  it('lets everybody register their own, and only shows members those of the organization', async () => {
    await register([{ name: 'team', source: 'https://git.example.com/a.git' }]);
    const caller = await makeCaller(service.db, admin.orgId, 'member');
    const member = await ConsoleVisit.open(browser!, service, caller, 'marketplaces');
    expect(await member.rows(ORGANIZATION)).toEqual([
      ['team', 'https://git.example.com/a.git', '–', '–', 'by name'],
    ]);
    expect(
      await member.page.getByRole('link', { name: 'https://git.example.com/a.git' }).getAttribute('rel'),
    ).toBe('noreferrer noopener');
    expect(await member.button('Register for the organization').count()).toBe(0);
    await member.button('Register for you').click();
    await member.field('Name').fill('mine');
    await member.field('Source').fill('github:me/plugins');
    expect(await member.button('Preview').count()).toBe(0);
    expect(await member.obstaclesOfAllKinds()).toEqual([]);
    await member.button('Save').click();
    await member.page.getByText('mine is registered.').waitFor();
    expect(await member.rows(OWN)).toEqual([
      ['mine', 'github:me/plugins', '–', '–', 'by name', 'ChangeRemove'],
    ]);
    const { body } = await call(service, 'GET', '/api/users/app', { key: caller.key });
    expect(body).toMatchObject({ registered_marketplaces: [{ name: 'mine' }] });
    expect(await member.obstaclesOfAllKinds()).toEqual([]);
    expect(member.takeFaults()).toEqual([]);
    await member.close();
    const owner = await ConsoleVisit.open(
      browser!,
      service,
      await makeCaller(service.db, admin.orgId, 'owner'),
      'marketplaces',
    );
    expect(await owner.button('Change: team').count()).toBe(1);
    expect(await owner.rows(OWN).catch(() => [])).toEqual([]);
    await owner.close();
  });
});
