import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import { makeProvider } from '../../support/identity/providers';
import { storeConversation } from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const HOSTILE = '<img src=x onerror=alert(1)> مساعد';

interface Account {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly own_role: { readonly name: string } | null;
  readonly owner: { readonly user_id: string } | null;
  readonly identity: object | null;
}

describeInBrowser('the page of service accounts', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let owner: TestCaller;
  let path: string;

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
    path = `/api/organizations/${owner.orgId}/service-accounts`;
  });

  const visit = (page = 'service-accounts', { key }: { readonly key: string } = owner) =>
    ConsoleVisit.open(browser!, service, { key, orgId: owner.orgId }, page);
  const submit = (seen: ConsoleVisit, name: string) =>
    seen.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const accounts = async () =>
    (await call<{ items: Account[] }>(service, 'GET', path, { key: owner.key })).body.items;
  const make = async (body: object) =>
    (await call<Account>(service, 'POST', path, { key: owner.key, body })).body.id;

  it('makes one with a role of the organization’s own and an owner, changes and deletes it', async () => {
    await call(service, 'POST', `/api/organizations/${owner.orgId}/roles`, {
      key: owner.key,
      body: { name: 'Auditor', permissions: ['view_org_conversations'] },
    });
    const other = await makeCaller(service.db, owner.orgId, 'member');
    const seen = await visit();
    await seen.page.getByText('There is no service account yet.').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button('Make a service account').click();
    await seen.field('Name').fill(HOSTILE);
    await seen.field('Role').selectOption('Auditor');
    await seen.field('Owner').fill('nobody@example.com');
    await submit(seen, 'Save the service account');
    await seen.page.getByRole('alert').getByText('No member has this address.').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.field('Owner').fill(other.email.toUpperCase());
    await submit(seen, 'Save the service account');
    await seen.row(HOSTILE).waitFor();
    expect(await accounts()).toMatchObject([
      { name: HOSTILE, role: 'member', own_role: { name: 'Auditor' }, owner: { user_id: other.userId } },
    ]);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.page.getByRole('link', { name: HOSTILE }).click();
    await seen.button('Change').click();
    await seen.field('Name').fill('long-'.repeat(39));
    await seen.field('Role').selectOption('Admin');
    await submit(seen, 'Save the service account');
    await eventually(async () =>
      expect(await accounts()).toMatchObject([
        { name: 'long-'.repeat(39), role: 'admin', own_role: null, owner: { user_id: other.userId } },
      ]),
    );
    await seen.page.getByText('Manage webhooks').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button('Delete').click();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Delete the service account');
    await seen.page.getByText('There is no service account yet.').waitFor();
    expect(await accounts()).toEqual([]);
    expect(await seen.focused()).toBe('Service accounts');
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('keeps the role that is chosen before the organization’s own ones have come', async () => {
    const makeRole = async (name: string): Promise<string> => {
      const body = { name, permissions: ['view_org_conversations'] };
      const roles = `/api/organizations/${owner.orgId}/roles`;
      return (await call<{ id: string }>(service, 'POST', roles, { key: owner.key, body })).body.id;
    };
    const id = await make({ name: 'Nightly build', own_role_id: await makeRole('Reviewer') });
    await makeRole('Editor');
    const seen = await visit(`service-accounts/${id}`);
    let come = (): void => undefined;
    const hasCome = new Promise<void>((resolve) => (come = resolve));
    await seen.page.route('**/roles', async (route) => {
      await hasCome;
      await route.continue();
    });
    await seen.button('Change').click();
    const shown = seen.field('Role').locator('option:checked');
    expect(await shown.textContent()).toBe('Reviewer');
    await seen.field('Role').selectOption('Admin');
    come();
    await seen.field('Role').getByText('Editor').waitFor({ state: 'attached' });
    expect(await shown.textContent()).toBe('Admin');
    await submit(seen, 'Save the service account');
    await eventually(async () =>
      expect(await accounts()).toMatchObject([{ id, role: 'admin', own_role: null }]),
    );
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('makes keys of one, which are shown once and can do what was ticked, and revokes them', async () => {
    const id = await make({ name: 'Nightly build' });
    const admin = await makeCaller(service.db, owner.orgId, 'admin');
    const seen = await visit(`service-accounts/${id}`, admin);
    await seen.button('Make a key').click();
    await seen.field('What it is for').fill(HOSTILE);
    await seen.field('It works for').selectOption('90 days');
    await seen.page.getByText('A key that can do less').click();
    expect(await seen.field('Manage webhooks').count()).toBe(0);
    await seen.field('See the organization and its members').check();
    await seen.field('Only from these addresses').fill('127.0.0.0/8');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Make a key');
    const key =
      (await seen.page.getByLabel('Your new key', { exact: true }).locator('code').textContent()) ?? '';
    const current = await call(service, 'GET', '/api/keys/current', { key });
    expect(current.body).toMatchObject({ user_id: id, user_kind: 'service_account' });
    const members = `/api/organizations/${owner.orgId}/members`;
    expect((await call(service, 'GET', members, { key })).status).toBe(200);
    expect((await call(service, 'GET', '/api/v1/git/credentials', { key })).status).toBe(403);
    await seen.button('Close').click();
    await seen.row('127.0.0.0/8').waitFor();
    expect(await seen.page.content()).not.toContain(key);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button(`Revoke: ${HOSTILE}`).click();
    await submit(seen, 'Revoke the key');
    await seen.row('127.0.0.0/8').waitFor({ state: 'detached' });
    expect((await call(service, 'GET', '/api/keys/current', { key })).status).toBe(401);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('binds the subject of a provider, in place of the one before, and unbinds it', async () => {
    const id = await make({ name: HOSTILE });
    const issuer = 'https://sign-in.example.com';
    const seen = await visit(`service-accounts/${id}`);
    await seen.page.getByText('No tokens of a provider act for it.').waitFor();
    expect(await seen.button('Bind a subject').count()).toBe(0);
    const providers = [
      await makeProvider(service.db, { orgId: owner.orgId, issuer }),
      await makeProvider(service.db, { orgId: owner.orgId, issuer, name: HOSTILE }),
    ];
    const identity = async () => (await accounts())[0]?.identity;
    await seen.page.reload();
    await seen.button('Bind a subject').click();
    await seen.field('Provider').selectOption('Company');
    await seen.field('Subject').fill(HOSTILE);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Bind a subject');
    await seen.button('Unbind the subject').waitFor();
    const bound = { bound_by_user_id: owner.userId, subject: HOSTILE };
    expect(await identity()).toEqual({ ...bound, provider_id: providers[0]?.id });
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);

    await seen.button('Bind a subject').click();
    expect(await seen.field('Subject').inputValue()).toBe(HOSTILE);
    await seen.field('Provider').selectOption(HOSTILE);
    await seen.field('Subject').fill('long-'.repeat(50));
    await submit(seen, 'Bind a subject');
    await seen.page.getByText('long-'.repeat(50)).waitFor();
    expect(await identity()).toMatchObject({ provider_id: providers[1]?.id, subject: 'long-'.repeat(50) });
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);

    const other = await make({ name: 'Weekly build' });
    const second = await visit(`service-accounts/${other}`);
    await second.button('Bind a subject').click();
    await second.field('Provider').selectOption(HOSTILE);
    await second.field('Subject').fill('long-'.repeat(50));
    await submit(second, 'Bind a subject');
    await second.page.getByRole('alert').getByText('by this subject').waitFor();
    expect(await second.obstaclesOfAllKinds()).toEqual([]);
    await second.close();

    const admin = await makeCaller(service.db, owner.orgId, 'admin');
    const third = await visit(`service-accounts/${id}`, admin);
    await third.button('Unbind the subject').click();
    expect(await third.obstaclesOfAllKinds()).toEqual([]);
    await submit(third, 'Unbind it');
    await third.page.getByText('No tokens of a provider act for it.').waitFor();
    expect(await identity()).toBeNull();
    expect(await third.focused()).toBe('Tokens of a provider');
    expect([...seen.takeFaults(), ...third.takeFaults()]).toEqual([]);
    await third.close();
    await seen.close();
  });

  it('lists who they are among the members, where nothing is offered about them', async () => {
    await make({ name: 'Nightly build', role: 'admin' });
    const seen = await visit('people');
    const row = seen.row('Nightly build');
    await row.getByText('Service account').waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('says of conversations that one of them started it', async () => {
    const id = await make({ name: 'Nightly build' });
    const fields = { org_id: owner.orgId, created_by_user_id: id, title: 'Built by night' };
    await storeConversation(service.db, fields);
    const seen = await visit('conversations');
    await seen.row('Built by night').getByText('Service account').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('says which is not there, and shows a member nothing of it', async () => {
    const seen = await visit('service-accounts/3f333df6-90a4-4fda-8dd3-9485d27cee36');
    await seen.page.getByRole('alert').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.close();
    const member = await makeCaller(service.db, owner.orgId, 'member');
    const other = await visit('service-accounts', member);
    await other.page.getByText('Your role does not include this page.').waitFor();
    expect(await other.menu()).not.toContain('Service accounts');
    expect(other.takeFaults()).toEqual([]);
    await other.close();
  });
});
