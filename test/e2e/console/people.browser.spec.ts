import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { startTestApp, type TestApp } from '../../support/service/app';
import {
  makeCaller,
  makeKey,
  makeMember,
  makeMembers,
  makeOrg,
  makeUser,
  type TestCaller,
} from '../../support/service/factories';
import { call } from '../../support/service/http';
import { eventually } from '../../support/eventually';

const SCRIPT = '<img src=x onerror=alert(1)>';
const NAMES = [SCRIPT, 'مرحبا بالعالم', 'long-'.repeat(20)];

describeInBrowser('the page of people', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let owner: TestCaller;
  let admin: TestCaller;
  let member: TestCaller;

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' }, hasConsole: true });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });
  beforeEach(async () => {
    const org = await makeOrg(service.db, { name: `${SCRIPT} & Söhne` });
    owner = await makeCaller(service.db, org.id, 'owner');
    admin = await makeCaller(service.db, org.id, 'admin');
    member = await makeCaller(service.db, org.id, 'member');
  });

  const visit = (caller: TestCaller, path = 'people') => ConsoleVisit.open(browser!, service, caller, path);
  const named = async (name: string) =>
    makeMember(service.db, owner.orgId, 'member', await makeUser(service.db, { name }));
  const roleOf = async ({ userId }: { readonly userId: string }) => {
    const [row] = await service.db.query<{ role: string }[]>(
      'SELECT role FROM org_members WHERE org_id = $1 AND user_id = $2',
      [owner.orgId, userId],
    );
    return row?.role;
  };
  /** The row of a member, who may have others in the list of sessions. */
  const memberRow = (seen: ConsoleVisit, text: string) =>
    seen.page
      .getByRole('region', { name: 'Members', exact: true })
      .getByRole('row')
      .filter({ hasText: text });
  const focused = (seen: ConsoleVisit) => seen.page.evaluate('document.activeElement.tagName');

  /** A link of the service, at the address that it has here. */
  const here = (link: string) => link.replace(new URL(link).origin, service.url);

  it.each(['owner', 'admin', 'member'] as const)('shows an %s what they may do about whom', async (role) => {
    for (const name of NAMES) await named(name);
    const may = { owner: [0, 4, 4], admin: [0, 0, 3], member: [0, 0, 0] }[role];
    const caller = { owner, admin, member }[role];
    const seen = await visit(caller);
    expect(await seen.rows('Members')).toHaveLength(6);
    for (const [place, one] of [owner, admin, member].entries()) {
      const row = memberRow(seen, one.email);
      expect([one.email, await row.getByRole('button').count()]).toEqual([one.email, may[place]]);
    }
    expect(await memberRow(seen, caller.email).textContent()).toContain('You');
    const invites = role === 'member' ? 0 : 1;
    expect(await seen.button('Invite people').count()).toBe(invites);
    expect(await seen.page.getByRole('heading', { name: 'Open invitations' }).count()).toBe(invites);
    for (const name of NAMES) expect(await seen.row(name).count()).toBe(1);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('asks for no more members than it shows, of however many', async () => {
    await makeMembers(service.database, owner.orgId, 117);
    const seen = await visit(member);
    const asked: string[] = [];
    seen.page.on('request', (request) => asked.push(new URL(request.url()).search));
    const counts = [];
    for (;;) {
      const rows = await seen.rows('Members');
      counts.push(rows.length);
      if ((await seen.button('Next page').count()) === 0) break;
      await seen.button('Next page').click();
      await seen.row(rows[0]![0]!).waitFor({ state: 'detached' });
    }
    expect(counts).toEqual([50, 50, 20]);
    expect(asked.every((search) => search.includes('limit=50'))).toBe(true);
    // The button is gone that had it.
    expect(await focused(seen)).toBe('H1');
    await seen.page.goBack();
    await seen.button('Next page').waitFor();
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('finds people among ten thousand by a part of their name or address', async () => {
    await makeMembers(service.database, owner.orgId, 10_000);
    await named(SCRIPT);
    const seen = await visit(admin);
    const asked: URLSearchParams[] = [];
    seen.page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/members')) asked.push(searchParams);
    });
    const field = seen.page.getByRole('searchbox', { name: 'Find people' });
    const shows = (names: readonly string[]) =>
      eventually(async () => {
        const rows = await seen.rows('Members');
        expect(rows.map(([who = '']) => names.find((name) => who.startsWith(name)))).toEqual(names);
      });
    const announced = (text: string) =>
      seen.page.getByRole('status').getByText(text, { exact: true }).waitFor();
    const inAddress = () => new URL(seen.page.url()).searchParams.get('search');

    await field.pressSequentially('PERSON 777');
    await announced('11 people');
    expect(await seen.rows('Members')).toHaveLength(11);
    expect(inAddress()).toBe('PERSON 777');
    // Who types is not interrupted, and is not asked about letter by letter.
    expect(await focused(seen)).toBe('INPUT');
    expect(asked.length).toBeLessThan('PERSON 777'.length);

    await field.fill('person-9');
    await announced('50 people, and more on the next page');
    const [first] = await seen.rows('Members');
    await seen.button('Next page').click();
    await seen.row(first![0]!).waitFor({ state: 'detached' });
    expect(await seen.rows('Members')).toHaveLength(50);
    await field.fill('img src');
    await shows([SCRIPT]);
    await announced('1 person');
    expect(await seen.button('First page').count()).toBe(0);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);

    await field.fill('100%');
    await seen.page.getByText('Nobody is found.').waitFor();
    await announced('0 people');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.goTo(`people?search=${encodeURIComponent(owner.email)}`);
    await shows([owner.email]);
    expect(await field.inputValue()).toBe(owner.email);
    await field.fill('');
    await eventually(async () => expect(await seen.rows('Members')).toHaveLength(50));
    expect(inAddress()).toBeNull();
    expect(asked.map((query) => query.get('limit'))).toEqual(asked.map(() => '50'));
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('changes a role to what the caller may give', async () => {
    const seen = await visit(admin);
    await seen.button(`Change role: ${member.email}`).click();
    const role = seen.page.getByLabel('New role');
    expect(await role.locator('option').allTextContents()).toEqual(['Member', 'Admin']);
    await role.selectOption('Admin');
    await seen.page.getByText('Sees all conversations').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button('Change the role').click();
    await seen.page.getByRole('status').getByText(`${member.email} has another role now: Admin.`).waitFor();
    expect(await roleOf(member)).toBe('admin');
    await seen.button(`Change role: ${member.email}`).waitFor({ state: 'detached' });
    expect(await focused(seen)).toBe('H1');
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('says why something was not done, with the id of the request', async () => {
    const seen = await visit(owner);
    await seen.button(`Change role: ${member.email}`).click();
    await service.db.query('DELETE FROM org_members WHERE user_id = $1', [member.userId]);
    await seen.button('Change the role').click();
    const alert = seen.page.getByRole('alert');
    expect(await alert.textContent()).toMatch(/This organization has no such member\..*Request id: \S+/);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.page.keyboard.press('Escape');
    await eventuallyFocused(seen, `Change role: ${member.email}`);
    await seen.close();
  });

  it('removes a member, after it has said what that does', async () => {
    const bound = await makeKey(service.db, member.userId, { orgId: member.orgId });
    const seen = await visit(admin);
    await seen.button(`Remove: ${member.email}`).click();
    const dialog = seen.page.getByRole('dialog');
    for (const effect of ['keys and sessions', 'sandboxes are paused', 'conversations stay', 'are deleted'])
      expect(await dialog.textContent()).toContain(effect);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button('Remove from the organization').click();
    await seen.row(member.email).waitFor({ state: 'detached' });
    expect(await roleOf(member)).toBeUndefined();
    expect((await call(service, 'GET', '/api/keys/current', { key: bound.key })).status).toBe(401);
    expect(await focused(seen)).toBe('H1');
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('makes a link for who has lost their key, shown once, which lets them in', async () => {
    const seen = await visit(admin);
    await seen.button(`Sign-in link: ${member.email}`).click();
    await seen.button('Make a link').click();
    const link = (await seen.page.getByLabel(`Link for ${member.email}`).textContent()) ?? '';
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button('Close').click();
    await seen.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await seen.page.content()).not.toContain(link);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
    const page = await browser!.newPage();
    await page.goto(here(link));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.goto(`${service.url}/console/${member.orgId}/people`);
    await page.getByRole('row').filter({ hasText: member.email }).getByText('You').waitFor();
    await page.close();
  });

  it('lets everybody leave but the last owner, and says so', async () => {
    const seen = await visit(owner);
    await seen.button('Leave the organization').click();
    const leave = seen.page.getByRole('dialog').getByRole('button', { name: 'Leave the organization' });
    await leave.click();
    await seen.page.getByText('You are the last owner').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await makeMember(service.db, owner.orgId, 'owner');
    await leave.click();
    await seen.page.getByText('You are in no organization.').waitFor();
    expect(await roleOf(owner)).toBeUndefined();
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  async function eventuallyFocused(seen: ConsoleVisit, name: string): Promise<void> {
    await seen.page.waitForFunction(`document.activeElement.ariaLabel === ${JSON.stringify(name)}`);
  }
});
