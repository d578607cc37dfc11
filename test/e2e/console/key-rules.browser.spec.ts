import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const DAY_MS = 86_400_000;

describeInBrowser('rotation of keys, and the rules for them', () => {
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
    ConsoleVisit.open(browser!, service, { key, orgId: owner.orgId }, 'keys');
  const submit = (seen: ConsoleVisit, name: string) =>
    seen.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const shownKey = async ({ page }: ConsoleVisit) =>
    (await page.getByLabel('Your new key', { exact: true }).locator('code').textContent()) ?? '';
  const statusOf = async (key: string) => (await call(service, 'GET', '/api/keys/current', { key })).status;
  const rules = async () =>
    (
      await call(service, 'GET', `/api/organizations/${owner.orgId}/credential-rules`, {
        key: (await makeKey(service.db, owner.userId, { expiresAt: new Date(Date.now() + DAY_MS) })).key,
      })
    ).body;

  it('a key is rotated: both work for the time that was chosen', async () => {
    const name = '<img src=x onerror=alert(1)> مفتاح';
    const old = await makeKey(service.db, owner.userId, { name });
    const seen = await visit();
    await seen.button(`Rotate: ${name}`).click();
    await seen.field('The old key works').selectOption('one more day');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Rotate the key');
    const key = await shownKey(seen);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect([await statusOf(key), await statusOf(old.key)]).toEqual([200, 200]);
    const [row] = await service.db.query<{ expires_at: Date }[]>(
      'SELECT expires_at FROM api_keys WHERE id = $1',
      [old.id],
    );
    expect(Math.round((row!.expires_at.getTime() - Date.now()) / DAY_MS)).toBe(1);
    await seen.button('Close').click();
    await eventually(async () => expect(await seen.row(name).count()).toBe(2));
    expect(await seen.page.content()).not.toContain(key);
    await seen.button(`Rotate: ${name}`).nth(1).click();
    await submit(seen, 'Rotate the key');
    expect(await seen.page.getByRole('alert').textContent()).toContain('rotated');
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('one without a time of grace ends at once; that of the session is not ended so', async () => {
    const old = await makeKey(service.db, owner.userId, { name: 'Nightly' });
    const seen = await visit();
    await seen.button('Rotate: Nightly').click();
    await seen.field('The old key works').selectOption('no longer');
    await submit(seen, 'Rotate the key');
    expect([await statusOf(await shownKey(seen)), await statusOf(old.key)]).toEqual([200, 401]);
    await seen.button('Close').click();
    await seen.button(`Rotate: Key ${owner.keyId}`).click();
    await seen.page.getByText('You are signed in with it').waitFor();
    expect(await seen.field('The old key works').locator('option').allTextContents()).toEqual([
      'one more hour',
      'one more day',
      'one more week',
    ]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('an owner sets the rules, and is warned where they shut out the key of the session', async () => {
    const seen = await visit();
    await seen.button('Change the rules').click();
    await seen.field('Longest life').fill('30');
    await seen.field('Keys have to end at some time').check();
    await seen.field('Keys are made by').selectOption('admins and owners');
    await seen.field('People’s keys work although only the organization’s provider lets people in').check();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Save the rules');
    await seen.page.getByRole('alert').waitFor();
    expect(await rules()).toMatchObject({ longest_key_days: null, updated_at: null });
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.page.getByLabel('Set them nevertheless').check();
    await submit(seen, 'Save the rules');
    await eventually(async () =>
      expect(await rules()).toMatchObject({
        longest_key_days: 30,
        expiry_required: true,
        scopes_required: false,
        key_makers: 'admin',
        keys_beside_provider: true,
      }),
    );
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('an admin changes them, but not who counts beside the provider; a member reads them, and is refused a key', async () => {
    const soon = { expiresAt: new Date(Date.now() + 35 * DAY_MS) };
    const admin = await makeCaller(service.db, owner.orgId, 'admin');
    const seen = await visit(await makeKey(service.db, admin.userId, soon));
    await seen.button('Change the rules').click();
    expect(await seen.page.getByLabel('People’s keys work although').count()).toBe(0);
    await seen.field('Longest life').fill('40');
    await seen.field('Keys are made by').selectOption('admins and owners');
    await submit(seen, 'Save the rules');
    await seen.page.getByText('40 days').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(await rules()).toMatchObject({ longest_key_days: 40, key_makers: 'admin' });
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
    const member = await makeCaller(service.db, owner.orgId, 'member');
    const reader = await visit(await makeKey(service.db, member.userId, soon));
    await reader.page.getByText('40 days').waitFor();
    expect(await reader.button('Change the rules').count()).toBe(0);
    await reader.button('Make a key').click();
    await reader.field('What it is for').fill('Mine');
    await submit(reader, 'Make a key');
    expect(await reader.page.getByRole('alert').textContent()).toContain('below the role admin');
    expect(reader.takeFaults()).toEqual([]);
    await reader.close();
  });
});
