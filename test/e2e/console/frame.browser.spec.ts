import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import type { Browser } from 'playwright-core';
import { defineExtension } from '../../../src/operations/extensions';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { signInByForm } from '../../support/web-interface/browser-cookie';

const NAME = '<img src=x onerror=alert(1)> & Söhne مرحبا';

const SCRIPT = `export function mount(element, { orgId, rest, fetch }) {
  fetch('/api/organizations/' + orgId).then(async (response) => {
    element.textContent = [(await response.json()).name, rest].join(' / ');
  });
}`;

describeInBrowser('what is around every page of the console', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let orgId: string;
  let owner: TestCaller;
  let member: TestCaller;

  beforeAll(async () => {
    const script = join(tmpdir(), `page-${process.pid}.mjs`);
    writeFileSync(script, SCRIPT);
    const acme = defineExtension({
      name: 'acme',
      consolePages: { 'acme.notes': { title: 'Notes', script, permission: 'view_org_conversations' } },
    });
    service = await startTestApp({ env: { APP_ROLE: 'api' }, hasConsole: true, extensions: [acme] });
    browser = await startBrowser();
    orgId = (await makeOrg(service.db, { name: NAME })).id;
    owner = await makeCaller(service.db, orgId, 'owner');
    member = await makeCaller(service.db, orgId, 'member');
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });

  const visit = (caller: TestCaller, path: string) =>
    ConsoleVisit.open(browser!, service, { key: caller.key, orgId }, path);

  it('shows the organization, whatever it is called, and the pages of the role', async () => {
    const seen = await visit(owner, '');
    await seen.page.getByText(NAME).waitFor();
    expect(await seen.menu()).toContain('Notes');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('opens the page of an extension for who may see it', async () => {
    const seen = await visit(owner, 'acme.notes/first');
    await seen.page.getByText(`${NAME} / first`).waitFor();
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('has no page in the menu that the role may not see, and says so at its address', async () => {
    const seen = await visit(member, '');
    expect(await seen.menu()).not.toContain('Notes');
    await seen.goTo('acme.notes');
    expect(await seen.page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Your role does not include this page.',
    );
    expect(await seen.obstacles()).toEqual([]);
    await seen.close();
  });

  it('says so where there is no page, and where the organization is not theirs', async () => {
    const seen = await visit(member, 'nothing');
    await seen.page.getByText('This page is not here.').waitFor();
    const other = await makeOrg(service.db);
    await seen.page.goto(`${service.url}/console/${other.id}/keys`);
    await seen.page.getByText('Request id:').waitFor();
    expect(await seen.obstacles()).toEqual([]);
    await seen.close();
  });

  it('skips to the content by keyboard', async () => {
    const seen = await visit(owner, 'keys');
    await seen.page.getByRole('link', { name: 'Skip to the content' }).focus();
    await seen.page.keyboard.press('Enter');
    expect(await seen.page.evaluate('document.activeElement.id')).toBe('content');
    await seen.close();
  });

  it('changes the organization of its tab, and of no other', async () => {
    const second = await makeOrg(service.db, { name: 'Second' });
    await service.db.query(`INSERT INTO org_members (org_id, user_id, role) VALUES ($1, $2, 'member')`, [
      second.id,
      owner.userId,
    ]);
    const seen = await visit(owner, 'keys');
    const other = await seen.page.context().newPage();
    await other.goto(`${service.url}/console/${orgId}/keys`);
    await seen.button('Change organization').click();
    await seen.page.getByRole('link', { name: 'Second' }).click();
    await seen.page.getByRole('banner').getByText('Second').waitFor();
    expect(await seen.menu()).not.toContain('Notes');
    await other.getByRole('link', { name: 'Notes' }).click();
    await other.getByText(`${NAME} /`).waitFor();
    const { body } = await call<{ current_org_id: string }>(service, 'GET', '/api/organizations', owner);
    expect(body.current_org_id).toBe(orgId);
    await seen.close();
  });

  it('asks to sign in where the session has ended, and goes on with the call', async () => {
    const seen = await visit(owner, 'keys');
    await seen.page.context().clearCookies();
    await seen.page.getByRole('link', { name: 'Notes' }).click();
    await seen.page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    const [name = '', value = ''] = (await signInByForm(service, owner.key)).split('=');
    await seen.page.context().addCookies([{ name, value, url: service.url }]);
    await seen.button('I have signed in: go on').click();
    await seen.page.getByText(`${NAME} /`).waitFor();
    await seen.close();
  });

  it('does nothing of one person as another who signs in', async () => {
    const seen = await visit(owner, 'keys');
    await seen.button('Make a key').click();
    await seen.page.getByRole('dialog').getByRole('textbox').first().fill('Of the owner');
    await seen.page.context().clearCookies();
    await seen.page.getByRole('dialog').locator('button[type=submit]').click();
    await seen.page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    const [name = '', value = ''] = (await signInByForm(service, member.key)).split('=');
    await seen.page.context().addCookies([{ name, value, url: service.url }]);
    const reloaded = seen.page.waitForEvent('load');
    await seen.button('I have signed in: go on').click();
    await reloaded;
    await seen.page.getByRole('heading', { level: 1 }).waitFor();
    const made = await service.db.query<unknown[]>(`SELECT 1 FROM api_keys WHERE name = 'Of the owner'`);
    expect(made).toEqual([]);
    await seen.close();
  });

  it('closes the tab of a sign-in, and goes on in the one before', async () => {
    const seen = await visit(owner, 'keys');
    const context = seen.page.context();
    await context.clearCookies();
    await seen.page.getByRole('link', { name: 'Notes' }).click();
    const opened = context.waitForEvent('page');
    await seen.page.getByRole('button', { name: 'Sign in, in a new tab' }).click();
    const tab = await opened;
    await tab.getByLabel('Your key').fill(owner.key);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await seen.page.getByText(`${NAME} /`).waitFor();
    await eventually(() => {
      if (context.pages().length > 1) throw new Error('The tab is still open.');
      return Promise.resolve();
    });
    await seen.close();
  });

  it('signs out', async () => {
    const seen = await visit(owner, 'keys');
    await seen.page.getByText('You', { exact: true }).click();
    await seen.button('Sign out').click();
    await seen.page.waitForURL(/\/login/);
    await seen.page.goto(`${service.url}/console`);
    expect(new URL(seen.page.url()).pathname).toBe('/login');
    await seen.close();
  });
});
