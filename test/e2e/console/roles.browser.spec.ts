import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeMember, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { signInByForm } from '../../support/web-interface/browser-cookie';

describeInBrowser('roles of an organization’s own, and what goes by them', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let owner: TestCaller;

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' }, hasConsole: true });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });
  beforeEach(async () => {
    owner = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
  });

  const visit = (path: string, { key }: { readonly key: string } = owner) =>
    ConsoleVisit.open(browser!, service, { key, orgId: owner.orgId }, path);
  const submit = (seen: ConsoleVisit, name: string) =>
    seen.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const roles = async () =>
    (
      await call<{ items: { id: string; name: string; permissions: string[] }[] }>(
        service,
        'GET',
        `/api/organizations/${owner.orgId}/roles`,
        { key: owner.key },
      )
    ).body.items;
  const makeRole = async (name: string, permissions: readonly string[]) =>
    (
      await call<{ id: string }>(service, 'POST', `/api/organizations/${owner.orgId}/roles`, {
        key: owner.key,
        body: { name, permissions },
      })
    ).body.id;

  it('are made of permissions, changed and deleted', async () => {
    const seen = await visit('roles');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button('Make a role').click();
    const name = '<img src=x onerror=alert(1)> مدقق';
    await seen.field('Name').fill(name);
    await seen.field('See all conversations of the organization').check();
    await seen.field('See the audit log').check();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Save the role');
    await seen.row('مدقق').waitFor();
    expect(await roles()).toMatchObject([
      { name, permissions: ['view_org_conversations', 'view_audit_log'] },
    ]);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button(`Change: ${name}`).click();
    await seen.field('Name').fill('Auditor');
    await seen.field('See the audit log').uncheck();
    await submit(seen, 'Save the role');
    await seen.row('Auditor').waitFor();
    expect(await roles()).toMatchObject([{ name: 'Auditor', permissions: ['view_org_conversations'] }]);
    await seen.button('Delete: Auditor').click();
    await submit(seen, 'Delete the role');
    await seen.page.getByText('There is nothing here yet.').waitFor();
    expect(await roles()).toEqual([]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('are given to members, whose menu has what they may see only', async () => {
    await makeRole('Auditor', ['view_org_settings', 'view_org_conversations', 'view_audit_log']);
    const member = await makeMember(service.db, owner.orgId);
    const seen = await visit('people');
    await seen.button(`Change role: ${member.email}`).click();
    await seen.page.getByLabel('New role').selectOption('Auditor');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Change the role');
    await eventually(async () =>
      expect((await seen.rows('Members')).flat()).toEqual(expect.arrayContaining(['Auditor'])),
    );
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
    const auditor = await visit('overview', await makeKey(service.db, member.id));
    expect(await auditor.menu()).not.toEqual(expect.arrayContaining(['Webhooks']));
    expect(await auditor.menu()).toEqual(expect.arrayContaining(['Overview', 'Roles']));
    await auditor.goTo('roles');
    expect(await auditor.button('Make a role').count()).toBe(0);
    expect(auditor.takeFaults()).toEqual([]);
    await auditor.close();
  });

  it('a key is made that can do less, from some addresses only', async () => {
    const seen = await visit('keys');
    await seen.button('Make a key').click();
    await seen.field('What it is for').fill('Callbacks');
    await seen.page.getByText('A key that can do less').click();
    await seen.field('Manage webhooks').check();
    await seen.field('Only from these addresses').fill('127.0.0.0/8\n10.0.0.0/33');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Make a key');
    await seen.page.getByRole('alert').waitFor();
    await seen.field('Only from these addresses').fill('127.0.0.0/8');
    await submit(seen, 'Make a key');
    const key =
      (await seen.page.getByLabel('Your new key', { exact: true }).locator('code').textContent()) ?? '';
    const webhooks = `/api/organizations/${owner.orgId}/webhooks`;
    expect((await call(service, 'GET', webhooks, { key })).status).toBe(200);
    const keys = await call(service, 'GET', '/api/keys', { key });
    expect(keys).toMatchObject({ status: 403, body: { code: 'key_scope_missing' } });
    await seen.button('Close').click();
    await seen.row('Callbacks').getByText('127.0.0.0/8').waitFor();
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('sessions of members are seen and ended by who may', async () => {
    const member = await makeMember(service.db, owner.orgId);
    const token = await signInByForm(service, (await makeKey(service.db, member.id)).key);
    const admin = await makeCaller(service.db, owner.orgId, 'admin');
    const seen = await visit('people', admin);
    expect(await seen.rows('Sessions')).toHaveLength(2);
    await seen.page
      .getByRole('region', { name: 'Sessions', exact: true })
      .getByRole('row')
      .filter({ hasText: member.email })
      .getByRole('button')
      .click();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'End the session');
    await eventually(async () => expect(await seen.rows('Sessions')).toHaveLength(1));
    const headers = { Cookie: token, 'Sec-Fetch-Site': 'same-origin' };
    expect((await call(service, 'POST', '/api/authenticate', { headers })).status).toBe(401);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });
});
