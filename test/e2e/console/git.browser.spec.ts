import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const PASSWORD = 'ghp_of_these_tests';
const SCRIPT = '<img src=x onerror=alert(1)>';

interface Credential {
  readonly id: string;
  readonly url_prefix: string;
  readonly username: string;
  readonly git_provider: string | null;
}

describeInBrowser('the page of git credentials', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let orgId: string;

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' }, hasConsole: true });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });
  beforeEach(async () => {
    orgId = (await makeOrg(service.db)).id;
  });

  const visit = (caller: TestCaller) => ConsoleVisit.open(browser!, service, caller, 'git');
  const own = '/api/v1/git/credentials';
  const ofOrganization = () => `/api/organizations/${orgId}/git-credentials`;
  const list = async ({ key }: TestCaller, path: string) =>
    (await call<{ credentials: Credential[] }>(service, 'GET', path, { key })).body.credentials;
  const keep = ({ key }: TestCaller, path: string, fields: object = {}) =>
    call(service, 'POST', path, {
      key,
      body: { url_prefix: 'https://github.com/acme', username: 'robot', password: PASSWORD, ...fields },
    });
  const fill = async ({ page }: ConsoleVisit, fields: Record<string, string>) => {
    for (const [label, text] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(text);
  };
  const submit = (seen: ConsoleVisit, name: string) =>
    seen.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

  it.each(['owner', 'admin', 'member'] as const)('shows an %s what they may keep', async (role) => {
    const caller = await makeCaller(service.db, orgId, role);
    const other = await makeCaller(service.db, orgId, 'owner');
    await keep(other, own, { url_prefix: 'https://gitlab.com/of-another' });
    await keep(other, ofOrganization(), { username: SCRIPT });
    await keep(caller, own, { url_prefix: `https://git.example.com/${'long-'.repeat(60)}`, username: '' });
    const seen = await visit(caller);
    expect(await seen.rows('Yours')).toHaveLength(1);
    expect(await seen.row('long-').textContent()).toContain('not known');
    expect((await seen.rows('Of the organization')).map((row) => row.slice(0, 3))).toEqual(
      role === 'member' ? [] : [['https://github.com/acme', SCRIPT, 'GitHub']],
    );
    expect(await seen.button('Add one of the organization').count()).toBe(role === 'member' ? 0 : 1);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it.each(['Yours', 'Of the organization'])('adds, changes and deletes a credential: %s', async (table) => {
    const admin = await makeCaller(service.db, orgId, 'admin');
    const path = table === 'Yours' ? own : ofOrganization();
    const seen = await visit(admin);
    await seen.button(table === 'Yours' ? 'Add one of yours' : 'Add one of the organization').click();
    await fill(seen, {
      Address: 'https://git.example.com/acme',
      'User name': 'robot',
      'Token or password': PASSWORD,
    });
    await seen.page.getByLabel('Git provider').selectOption('GitLab');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Add a credential');
    await seen.row('https://git.example.com/acme').waitFor();
    const [{ id: _, ...added } = { id: '' }] = await list(admin, path);
    expect(added).toEqual({
      url_prefix: 'https://git.example.com/acme',
      username: 'robot',
      git_provider: 'gitlab',
    });
    await seen.button('Change: https://git.example.com/acme').click();
    await fill(seen, { Address: 'https://git.example.com/tools', 'User name': '' });
    await submit(seen, 'Save');
    await seen.row('https://git.example.com/tools').waitFor();
    expect(await list(admin, path)).toMatchObject([
      { url_prefix: 'https://git.example.com/tools', username: '', git_provider: 'gitlab' },
    ]);
    await seen.button('Delete: https://git.example.com/tools').click();
    await seen.page.getByText('Nothing is cloned with it any more.').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Delete the credential');
    await seen.row('https://git.example.com/tools').waitFor({ state: 'detached' });
    expect(await list(admin, path)).toEqual([]);
    expect(await seen.page.content()).not.toContain(PASSWORD);
    expect(await seen.page.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('says at the field what is wrong with it, and keeps what was typed', async () => {
    const member = await makeCaller(service.db, orgId);
    const seen = await visit(member);
    await seen.button('Add one of yours').click();
    await fill(seen, {
      Address: 'https://git.example.com/acme?of=query',
      'User name': 'a:b',
      'Token or password': PASSWORD,
    });
    await submit(seen, 'Add a credential');
    await seen.page.getByRole('alert').waitFor();
    for (const label of ['Address', 'User name']) {
      const field = seen.page.getByLabel(label, { exact: true });
      expect([label, await field.getAttribute('aria-invalid')]).toEqual([label, 'true']);
    }
    expect(await seen.page.getByLabel('Token or password').inputValue()).toBe(PASSWORD);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(await list(member, own)).toEqual([]);
    await seen.close();
  });

  it('takes no credential to another host without its password', async () => {
    const member = await makeCaller(service.db, orgId);
    await keep(member, own);
    const seen = await visit(member);
    await seen.button('Change: https://github.com/acme').click();
    await fill(seen, { Address: 'https://gitlab.com/acme' });
    await submit(seen, 'Save');
    expect(await seen.page.getByRole('alert').textContent()).toMatch(/password/);
    await fill(seen, { 'Token or password': PASSWORD });
    await submit(seen, 'Save');
    await seen.row('https://gitlab.com/acme').waitFor();
    // That of before was known by the host, and so is this.
    expect(await list(member, own)).toMatchObject([{ git_provider: 'gitlab' }]);
    await seen.close();
  });
});
