import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import { storeConversation } from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeMember, makeOrg, makeUser, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const SCRIPT = '<img src=x onerror=alert(1)>';

describeInBrowser('erasure of people, and the end of an organization', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let owner: TestCaller;

  beforeAll(async () => {
    service = await startTestApp({ hasConsole: true });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });
  beforeEach(async () => {
    const org = await makeOrg(service.db, { name: `${SCRIPT} & Söhne` });
    owner = await makeCaller(service.db, org.id, 'owner');
  });

  const visit = (path: string, caller: TestCaller = owner) =>
    ConsoleVisit.open(browser!, service, { key: caller.key, orgId: owner.orgId }, path);
  const submit = (seen: ConsoleVisit, name: string) =>
    seen.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const addConversation = (userId: string) =>
    storeConversation(service.db, { org_id: owner.orgId, created_by_user_id: userId });
  const countOf = async (what: 'conversations' | 'memberships', userId: string): Promise<number> => {
    const [row] = await service.db.query<[Record<typeof what, number>]>(
      `SELECT (SELECT count(*)::int FROM conversations
                WHERE org_id = $1 AND created_by_user_id = $2 AND deleted_at IS NULL) AS conversations,
              (SELECT count(*)::int FROM org_members WHERE org_id = $1 AND user_id = $2) AS memberships`,
      [owner.orgId, userId],
    );
    return row[what];
  };
  const hold = async (user_id: string): Promise<string> => {
    const path = `/api/organizations/${owner.orgId}/legal-holds`;
    const made = await call<{ id: string }>(service, 'POST', path, {
      key: owner.key,
      body: { user_id, reason: 'Case 2026-117' },
    });
    expect(made.status).toBe(201);
    return made.body.id;
  };
  const lift = (id: string) =>
    call(service, 'DELETE', `/api/organizations/${owner.orgId}/legal-holds/${id}`, { key: owner.key });

  it('an owner sees what goes, confirms it with the address, and sees that it is done', async () => {
    const user = await makeUser(service.db, { name: `${SCRIPT} مريم` });
    await makeMember(service.db, owner.orgId, 'member', user);
    await addConversation(user.id);
    await addConversation(user.id);
    const seen = await visit('people');
    await seen.button(`Erase: ${user.name}`).click();
    const dialog = seen.page.getByRole('dialog');
    await dialog.getByText('their account goes as well').waitFor();
    await dialog.locator('dl > div').filter({ hasText: 'Conversations' }).getByText('2').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.field(`To confirm, enter ${user.email}`).fill('somebody@example.com');
    await submit(seen, 'Erase for good');
    await dialog.getByRole('alert').getByText('This is not what has to be entered.').waitFor();
    expect(await countOf('conversations', user.id)).toBe(2);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.field(`To confirm, enter ${user.email}`).fill(user.email);
    await seen.page.keyboard.press('Enter');
    await dialog.getByText('It is done.').waitFor();
    expect(await countOf('conversations', user.id)).toBe(0);
    expect(await countOf('memberships', user.id)).toBe(0);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Close');
    await eventually(async () => expect(await seen.rows('Members')).toHaveLength(1));
    expect(await seen.focused()).not.toBe('BODY');
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('who is held is erased when that is lifted, which is said', async () => {
    const user = await makeMember(service.db, owner.orgId);
    await addConversation(user.id);
    const holdId = await hold(user.id);
    const seen = await visit('people');
    await seen.button(`Erase: ${user.email}`).click();
    const dialog = seen.page.getByRole('dialog');
    await dialog.getByText('There is a legal hold.').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.field(`To confirm, enter ${user.email}`).fill(user.email);
    await submit(seen, 'Erase once the holds are lifted');
    await dialog.getByText('It waits for legal holds').waitFor();
    expect(await countOf('conversations', user.id)).toBe(1);
    await submit(seen, 'Close');
    await seen.button(`Erase: ${user.email}`).click();
    await dialog.getByText('It waits for legal holds').waitFor();
    expect((await lift(holdId)).status).toBe(200);
    await eventually(async () => expect(await countOf('conversations', user.id)).toBe(0));
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('an admin erases nobody, and neither does an owner themselves as a member', async () => {
    const admin = await makeCaller(service.db, owner.orgId, 'admin');
    await makeMember(service.db, owner.orgId);
    const seen = await visit('people', admin);
    expect(await seen.page.getByRole('button', { name: /^Erase/ }).count()).toBe(0);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
    const own = await visit('people');
    expect(await own.button(`Erase: ${owner.email}`).count()).toBe(0);
    expect(await own.page.getByRole('button', { name: /^Erase/ }).count()).toBe(2);
    await own.close();
  });

  it('a member downloads what is theirs, and erases themselves', async () => {
    const member = await makeCaller(service.db, owner.orgId, 'member');
    await addConversation(member.userId);
    const seen = await visit('keys', member);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    const loading = seen.page.waitForEvent('download');
    await seen.button('Download my data').click();
    const file = await loading;
    expect(file.suggestedFilename()).toMatch(/\.zip$/);
    let bytes = 0;
    for await (const part of await file.createReadStream()) bytes += Buffer.from(part).length;
    expect(bytes).toBeGreaterThan(200);

    await seen.button('Erase me').click();
    await seen.field('Your address, to confirm').fill('somebody@example.com');
    await submit(seen, 'See what goes');
    await seen.page.getByRole('alert').getByText('e-mail address').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.field('Your address, to confirm').fill(member.email);
    await submit(seen, 'See what goes');
    await seen.page.getByText('Your account goes as well.').waitFor();
    expect(await seen.focused()).toBe('Erase yourself');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(await countOf('conversations', member.userId)).toBe(1);
    await submit(seen, 'Erase for good');
    await seen.page.getByText('You are being erased.').waitFor();
    await eventually(async () => expect(await countOf('conversations', member.userId)).toBe(0));
    expect((await call(service, 'GET', '/api/keys/current', { key: member.key })).status).toBe(401);
    await submit(seen, 'Close');
    await seen.page.waitForURL(/\/login/);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('the last owner of others is told why they cannot; who is held waits', async () => {
    const member = await makeCaller(service.db, owner.orgId, 'member');
    const seen = await visit('keys');
    await seen.button('Erase me').click();
    await seen.field('Your address, to confirm').fill(owner.email);
    await submit(seen, 'See what goes');
    await seen.page.getByText('You are the last owner').waitFor();
    expect(await seen.button('Erase for good').count()).toBe(0);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.close();
    await hold(member.userId);
    const held = await visit('keys', member);
    await held.button('Erase me').click();
    await held.field('Your address, to confirm').fill(member.email);
    await submit(held, 'See what goes');
    await submit(held, 'Erase once the holds are lifted');
    await held.page.getByText('It waits for legal holds').waitFor();
    await submit(held, 'Close');
    await held.page.getByText('Your erasure waits for legal holds').waitFor();
    expect(await held.button('Erase me').count()).toBe(0);
    expect(await held.obstaclesOfAllKinds()).toEqual([]);
    expect(held.takeFaults()).toEqual([]);
    await held.close();
  });

  it('an owner deletes the organization with its name, unless something of it is held', async () => {
    const member = await makeCaller(service.db, owner.orgId, 'member');
    const asMember = await visit('settings', member);
    expect(await asMember.button('Delete the organization').count()).toBe(0);
    await asMember.close();
    const holdId = await hold(member.userId);
    const name = `${SCRIPT} & Söhne`;
    const seen = await visit('settings');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button('Delete the organization').click();
    await seen.page.getByText('From now on nobody is a member of it').waitFor();
    await seen.field(`To confirm, enter the name: ${name}`).fill('Another one');
    await submit(seen, 'Delete the organization');
    await seen.page.getByRole('alert').getByText('This is not its name.').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.field(`To confirm, enter the name: ${name}`).fill(name);
    await submit(seen, 'Delete the organization');
    await seen.page.getByRole('alert').getByText('legal hold').waitFor();
    await lift(holdId);
    await submit(seen, 'Delete the organization');
    await seen.page.waitForURL((url) => !url.pathname.includes(owner.orgId));
    await eventually(async () =>
      expect(await service.db.query('SELECT 1 FROM organizations WHERE id = $1', [owner.orgId])).toEqual([]),
    );
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });
});
