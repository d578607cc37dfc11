import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { inviteOne } from '../../support/invitations/invitations';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';

const LONG = `${'long-name-'.repeat(6)}@${'sub.'.repeat(20)}example.com`;

describeInBrowser('invitations on the page of people', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let owner: TestCaller;
  let admin: TestCaller;

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' }, hasConsole: true });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });
  beforeEach(async () => {
    const org = await makeOrg(service.db, { name: 'Acme' });
    owner = await makeCaller(service.db, org.id, 'owner');
    admin = await makeCaller(service.db, org.id, 'admin');
  });

  const visit = (caller: TestCaller) => ConsoleVisit.open(browser!, service, caller, 'people');
  const invitations = () =>
    service.db.query<{ email: string; role: string; status: string }[]>(
      'SELECT email, role, status FROM invitations WHERE org_id = $1 ORDER BY email',
      [owner.orgId],
    );
  const fill = async ({ page }: ConsoleVisit, text: string) => {
    await page.getByRole('button', { name: 'Invite people' }).click();
    await page.getByLabel('Addresses').fill(text);
  };
  const invite = ({ page }: ConsoleVisit) =>
    page.getByRole('button', { name: 'Invite', exact: true }).click();
  /** A link of the service, at the address that it has here. */
  const here = (link: string) => link.replace(new URL(link).origin, service.url);
  const accept = async (page: Page, link: string) => {
    await page.goto(here(link));
    await page.getByLabel('Your name').fill('Ada');
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
  };

  it('invites who is pasted, and says who is invited and who is not', async () => {
    const seen = await visit(owner);
    await fill(seen, `Ada <ada@example.com>,grace@example.com\n${LONG}; ${admin.email}\nGRACE@example.com`);
    await seen.page.getByText('5 addresses').waitFor();
    await seen.page.getByLabel('Role', { exact: true }).selectOption('Admin');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await invite(seen);
    await seen.page.getByRole('heading', { name: 'Invitation results' }).waitFor();
    const invited = await seen.rows('3 people are invited');
    expect(invited.map(([email, role]) => [email, role])).toEqual([
      ['ada@example.com', 'Admin'],
      ['grace@example.com', 'Admin'],
      [LONG, 'Admin'],
    ]);
    expect(await seen.rows('2 addresses were not invited')).toEqual([
      [admin.email, expect.stringContaining('member') as string],
      ['GRACE@example.com', expect.stringContaining('more than once') as string],
    ]);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(await seen.page.evaluate('document.activeElement.textContent')).toBe('Invitation results');
    const links = (await seen.page.getByLabel('Links').textContent()) ?? '';
    expect(links.split('\n')).toHaveLength(3);
    await seen.button('Close').click();
    expect(await seen.rows('Open invitations')).toHaveLength(3);
    expect(await invitations()).toHaveLength(3);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('names the addresses that are none, and keeps what was typed', async () => {
    const seen = await visit(admin);
    await fill(seen, 'ada@example.com, <img src=x onerror=alert(1)>, nobody');
    expect(await seen.page.getByLabel('Role', { exact: true }).locator('option').allTextContents()).toEqual([
      'Member',
      'Admin',
    ]);
    await invite(seen);
    expect(await seen.page.getByRole('alert').textContent()).toContain('nobody: ');
    expect(await seen.page.getByLabel('Addresses').inputValue()).toContain('ada@example.com');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.page.getByLabel('Addresses').fill('ada@example.com');
    await invite(seen);
    await seen.page.getByRole('heading', { name: '1 person is invited' }).waitFor();
    expect(await invitations()).toEqual([{ email: 'ada@example.com', role: 'member', status: 'pending' }]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('sends no more addresses than one invitation takes', async () => {
    const seen = await visit(owner);
    await fill(seen, Array.from({ length: 101 }, (_, n) => `n${n}@example.com`).join('\n'));
    await invite(seen);
    expect(await seen.page.evaluate(`document.querySelector('textarea').validationMessage`)).toBe(
      'These are 101 addresses, and at most 100 can be invited at a time.',
    );
    expect(await invitations()).toEqual([]);
    await seen.close();
  });

  it('gives the link where no mail is sent, which leads who accepts to the console', async () => {
    await inviteOne(service, owner, 'ada@example.com');
    const seen = await visit(admin);
    await seen.button('Link: ada@example.com').click();
    const link = (await seen.page.getByLabel('Link', { exact: true }).textContent()) ?? '';
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.close();
    const page = await browser!.newPage();
    await accept(page, link);
    await page.getByRole('link', { name: 'Open the console' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'People' }).click();
    await page.getByRole('row').filter({ hasText: 'ada@example.com' }).getByText('You').waitFor();
    for (const [path, name] of [
      ['settings', 'Console'],
      ['login', 'console'],
    ] as const) {
      await page.goto(`${service.url}/${path}`);
      expect(await page.getByRole('link', { name, exact: true }).getAttribute('href')).toBe('/console');
    }
    await page.close();
  });

  it('renews an invitation: the link before ends, and the new one is shown', async () => {
    const { invite_url: before } = await inviteOne(service, owner, 'ada@example.com');
    const seen = await visit(owner);
    await seen.button('Renew: ada@example.com').click();
    await seen.button('Renew').click();
    const link = (await seen.page.getByLabel('Link', { exact: true }).textContent()) ?? '';
    expect(link).not.toBe(before);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    const page = await browser!.newPage();
    expect((await page.goto(here(before!)))?.status()).toBe(404);
    expect((await page.goto(here(link)))?.status()).toBe(200);
    await page.close();
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('revokes an invitation', async () => {
    await inviteOne(service, owner, 'ada@example.com');
    const seen = await visit(owner);
    await seen.button('Revoke: ada@example.com').click();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button('Revoke the invitation').click();
    await seen.page.getByText('No invitation is open.').waitFor();
    expect(await invitations()).toEqual([{ email: 'ada@example.com', role: 'member', status: 'revoked' }]);
    expect(await seen.page.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('says what became of each mail, and gives an admin no link that makes owners', async () => {
    await inviteOne(service, owner, 'ada@example.com', 'owner');
    await inviteOne(service, owner, 'grace@example.com');
    await service.db.query(
      `UPDATE invitations SET mail_status = 'failed', mail_detail = 'mailbox <b>full</b>' WHERE email = 'grace@example.com'`,
    );
    const seen = await visit(admin);
    expect(await seen.row('grace@example.com').textContent()).toContain('not sentmailbox <b>full</b>');
    expect(await seen.row('ada@example.com').getByRole('button').allTextContents()).toEqual(['Revoke']);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });
});
