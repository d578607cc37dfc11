import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { signInByForm } from '../../support/web-interface/browser-cookie';

const DAY_MS = 86_400_000;

describeInBrowser('the page of keys and sessions', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let caller: TestCaller;

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' }, hasConsole: true });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });
  beforeEach(async () => {
    caller = await makeCaller(service.db, (await makeOrg(service.db)).id, 'member');
  });

  const visit = (who: { readonly key: string } = caller) =>
    ConsoleVisit.open(browser!, service, { key: who.key, orgId: caller.orgId }, 'keys');
  const keys = () =>
    service.db.query<{ id: number; name: string | null; org_id: string | null; expires_at: Date | null }[]>(
      'SELECT id, name, org_id, expires_at FROM api_keys WHERE user_id = $1 ORDER BY id',
      [caller.userId],
    );
  const make = async (seen: ConsoleVisit, name: string) => {
    await seen.button('Make a key').click();
    await seen.page.getByLabel('What it is for').fill(name);
  };
  const submit = (seen: ConsoleVisit, name: string) =>
    seen.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const shownKey = async ({ page }: ConsoleVisit) =>
    (await page.getByLabel('Your new key', { exact: true }).locator('code').textContent()) ?? '';

  it.each(['owner', 'admin', 'member'] as const)(
    'shows an %s their own keys and sessions only',
    async (role) => {
      const other = await makeCaller(service.db, caller.orgId, 'owner');
      await signInByForm(service, other.key);
      const own = await makeCaller(service.db, caller.orgId, role);
      for (const name of ['<img src=x onerror=alert(1)>', 'مفتاح', 'long-'.repeat(50)])
        await makeKey(service.db, own.userId, { name, expiresAt: new Date(Date.now() - DAY_MS) });
      const seen = await visit(own);
      const rows = await seen.rows('Keys');
      expect(rows).toHaveLength(4);
      expect(rows[0]!.slice(0, 5)).toEqual([
        'long-'.repeat(50),
        'all of your organizations',
        'all that you may',
        'never',
        expect.stringContaining('has expired') as string,
      ]);
      expect(await seen.rows('Sessions')).toEqual([expect.arrayContaining([`Key ${own.keyId}`])]);
      expect(await seen.row('this one').count()).toBe(1);
      expect(await seen.obstaclesOfAllKinds()).toEqual([]);
      expect(seen.takeFaults()).toEqual([]);
      await seen.close();
    },
  );

  it('makes a key, which is shown once and works', async () => {
    const seen = await visit();
    await make(seen, 'Nightly build');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.page.getByLabel('It works for').selectOption('365 days');
    await submit(seen, 'Make a key');
    const key = await shownKey(seen);
    const current = await call(service, 'GET', '/api/keys/current', { key });
    expect(current.body).toMatchObject({ name: 'Nightly build', bound_org_id: caller.orgId });
    expect(await seen.page.evaluate('document.activeElement.textContent')).toBe('Your new key');
    const [, made] = await keys();
    expect(Math.round((made!.expires_at!.getTime() - Date.now()) / DAY_MS)).toBe(365);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button('Close').click();
    await seen.row('Nightly build').waitFor();
    expect(await seen.page.content()).not.toContain(key);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('makes one for all organizations, until a day, or for ever', async () => {
    const seen = await visit();
    await make(seen, 'Until');
    await seen.page.getByLabel('It works for').selectOption('until a day that you choose');
    await seen.page.getByLabel('Last day').fill('2040-02-01');
    await seen.page.getByLabel('Works in').selectOption('all of your organizations');
    await submit(seen, 'Make a key');
    await shownKey(seen);
    await seen.button('Close').click();
    await make(seen, 'Ever');
    await seen.page.getByLabel('It works for').selectOption('as long as it is not revoked');
    await submit(seen, 'Make a key');
    await shownKey(seen);
    const [, until, ever] = await keys();
    expect(until).toMatchObject({ name: 'Until', org_id: null });
    expect(until!.expires_at!.getTime()).toBeGreaterThan(Date.parse('2040-02-01'));
    expect(ever).toMatchObject({ name: 'Ever', org_id: caller.orgId, expires_at: null });
    await seen.close();
  });

  it('says why a key was not made, and keeps what was typed', async () => {
    const seen = await visit();
    await make(seen, 'Too late');
    await seen.page.getByLabel('It works for').selectOption('until a day that you choose');
    await seen.page.getByLabel('Last day').fill('2020-02-01');
    await submit(seen, 'Make a key');
    expect(await seen.page.getByRole('alert').textContent()).toContain('would never work');
    expect(await seen.page.getByLabel('What it is for').inputValue()).toBe('Too late');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(await keys()).toHaveLength(1);
    await seen.close();
  });

  it('offers no key that reaches further than the one of the session', async () => {
    const bound = await makeKey(service.db, caller.userId, { orgId: caller.orgId });
    const seen = await visit(bound);
    await make(seen, 'Here');
    expect(await seen.page.getByLabel('Works in').count()).toBe(0);
    await seen.close();
  });

  it('revokes a key, after it has said which sessions end with it', async () => {
    const old = await makeKey(service.db, caller.userId, { name: 'Old' });
    for (let n = 0; n < 2; n++) await signInByForm(service, old.key);
    const seen = await visit();
    expect(await seen.rows('Sessions')).toHaveLength(3);
    await seen.button('Revoke: Old').click();
    await seen.page.getByText('2 sessions were started with it, and end, too.').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Revoke the key');
    await seen.row('Old').first().waitFor({ state: 'detached' });
    expect(await seen.rows('Sessions')).toHaveLength(1);
    expect((await call(service, 'GET', '/api/keys/current', { key: old.key })).status).toBe(401);
    expect(await seen.page.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('ends a session, and signs out where it is this one', async () => {
    const other = await signInByForm(service, caller.key);
    await service.db.query(
      `UPDATE browser_sessions SET user_agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
        WHERE api_key_id = $1`,
      [caller.keyId],
    );
    const seen = await visit();
    await seen.row('Firefox on Linux').getByRole('button').click();
    expect(await seen.page.getByRole('dialog').textContent()).toContain('Firefox on Linux, signed in');
    await submit(seen, 'End the session');
    await seen.row('Firefox on Linux').waitFor({ state: 'detached' });
    expect((await call(service, 'GET', '/settings', { headers: { Cookie: other } })).status).toBe(302);
    await seen.row('this one').getByRole('button').click();
    await seen.page.getByText('This is the browser that you see').waitFor();
    await submit(seen, 'End the session');
    await seen.page.waitForURL(/\/login\?returnTo=/);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('asks who signed in more than an hour ago to sign in again, and then makes the key', async () => {
    const seen = await visit();
    await service.db.query("UPDATE browser_sessions SET created_at = now() - interval '61 minutes'");
    await make(seen, 'Nightly build');
    await submit(seen, 'Make a key');
    await seen.page.getByRole('heading', { name: 'Sign in again for this change' }).waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(await keys()).toHaveLength(1);
    const opened = seen.page.context().waitForEvent('page');
    await seen.page.getByRole('button', { name: 'Sign in, in a new tab' }).click();
    const tab = await opened;
    await tab.getByLabel('Your key').fill(caller.key);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    expect(await shownKey(seen)).toMatch(/^ocs_/);
    expect((await keys()).map(({ name }) => name)).toEqual([null, 'Nightly build']);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('makes no key for who does not sign in again, and says why', async () => {
    const seen = await visit();
    await service.db.query("UPDATE browser_sessions SET created_at = now() - interval '61 minutes'");
    await make(seen, 'Nightly build');
    await submit(seen, 'Make a key');
    await seen.page.getByRole('heading', { name: 'Sign in again for this change' }).waitFor();
    await seen.page.keyboard.press('Escape');
    await seen.page.getByRole('alert').getByText('Request id:').waitFor();
    expect(await seen.page.getByLabel('What it is for').inputValue()).toBe('Nightly build');
    expect(await keys()).toHaveLength(1);
    await seen.close();
  });
});
