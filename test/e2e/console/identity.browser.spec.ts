import type { Browser } from 'playwright-core';
import { newId } from '../../../src/kernel/common';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const SCRIPT = '<img src=x onerror=alert(1)> شركة';

describeInBrowser('the page of an organization’s own identity', () => {
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

  const visit = ({ key }: { readonly key: string } = owner) =>
    ConsoleVisit.open(browser!, service, { key, orgId: owner.orgId }, 'identity');
  const submit = (seen: ConsoleVisit, name: string) =>
    seen.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const read = async <Body>(what: string): Promise<Body> =>
    (await call<Body>(service, 'GET', `/api/organizations/${owner.orgId}/${what}`, { key: owner.key })).body;

  it('adds, changes and deletes a provider, with roles for its groups', async () => {
    const seen = await visit();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button('Add a provider').click();
    await seen.field('Name').fill(SCRIPT);
    await seen.field('Issuer').fill('https://sign-in.example.com');
    await seen.field('Client id').fill('agents');
    await seen.field('Client secret').fill('very secret');
    await seen.field('Who is in no group with a role comes in as').selectOption('Member');
    await seen.field('Claim of groups').fill('realm_access.roles');
    await seen.field('Roles of groups').fill('platform = Admin');
    await seen.field('Audience of access tokens').fill('urn:conversations');
    await seen.field('Opaque tokens').selectOption('the provider is asked about');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Save the provider');
    await seen.row('شركة').waitFor();
    const { items } = await read<{ items: object[] }>('identity-providers');
    expect(items).toMatchObject([
      {
        name: SCRIPT,
        has_client_secret: true,
        scope: 'openid email profile',
        group_claim: 'realm_access.roles',
        audience: 'urn:conversations',
        introspection: true,
        default_role: 'member',
        group_roles: [{ group: 'platform', role: 'admin' }],
      },
    ]);
    expect(await seen.page.content()).not.toContain('very secret');
    await seen.button(`Change: ${SCRIPT}`).click();
    await seen.field('Roles of groups').fill('platform = nonsense');
    await submit(seen, 'Save the provider');
    await seen.page.getByRole('alert').waitFor();
    await seen.field('Roles of groups').fill('');
    await submit(seen, 'Save the provider');
    await seen.row('platform').waitFor({ state: 'detached' });
    await seen.button(`Test: ${SCRIPT}`).click();
    await seen.row('the host sign-in.example.com').waitFor();
    await seen.page.route('**/test', (route) => route.abort());
    await seen.button(`Test: ${SCRIPT}`).click();
    await seen.page.getByRole('alert').waitFor();
    await seen.button(`Addresses: ${SCRIPT}`).click();
    await seen.page.getByText(`/login/oidc/`).first().waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button('Close').click();
    await seen.button(`Only by this provider: ${SCRIPT}`).click();
    await submit(seen, 'Only by this provider');
    await seen.page.getByRole('dialog').getByRole('alert').waitFor();
    await submit(seen, 'Cancel');
    await seen.button(`Delete: ${SCRIPT}`).click();
    await submit(seen, 'Delete the provider');
    await seen.row('شركة').waitFor({ state: 'detached' });
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('shows what a domain is verified by, and that it is not yet', async () => {
    const seen = await visit();
    await seen.button('Add a domain').click();
    await seen.field('Domain').fill('acme.example.com');
    await submit(seen, 'Add a domain');
    await seen.row('acme.example.com').getByText('not yet').waitFor();
    await seen.button('Verify: acme.example.com').click();
    await seen.page.getByText('_org-conversation-service.acme.example.com').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Cancel');
    await seen.button('Remove: acme.example.com').click();
    await submit(seen, 'Remove the domain');
    await seen.row('acme.example.com').waitFor({ state: 'detached' });
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('makes a token for a directory, which is shown once, and gives its groups roles', async () => {
    await service.db.query('INSERT INTO scim_groups (org_id, id, resource) VALUES ($1, $2, $3)', [
      owner.orgId,
      newId(),
      { displayName: SCRIPT },
    ]);
    const seen = await visit();
    await seen.button('Make a token').click();
    await seen.field('Name').fill('Company directory');
    await submit(seen, 'Make a token');
    const token = (await seen.page.locator('code.secret').textContent()) ?? '';
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await call(service, 'GET', '/scim/v2/Users', { headers })).status).toBe(200);
    await seen.button('Close').click();
    expect(await seen.page.content()).not.toContain(token);
    await seen.button(`Change: ${SCRIPT}`).click();
    await seen.field('Gives').selectOption('Admin');
    await submit(seen, 'Save');
    await seen.row('شركة').getByText('Admin').waitFor();
    expect(await read('scim-groups')).toMatchObject({ items: [{ role: 'admin' }] });
    await seen.button('Revoke: Company directory').click();
    await submit(seen, 'Revoke the token');
    await seen.row('Company directory').waitFor({ state: 'detached' });
    expect((await call(service, 'GET', '/scim/v2/Users', { headers })).status).toBe(401);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('is for owners', async () => {
    const seen = await visit(await makeCaller(service.db, owner.orgId, 'admin'));
    expect(await seen.menu()).not.toContain('Sign-in');
    await seen.close();
  });
});
