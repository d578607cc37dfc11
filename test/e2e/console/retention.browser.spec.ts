import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import { storeConversation } from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const SCRIPT = '<img src=x onerror=alert(1)>';
const NOT_ALLOWED = 'Your role does not include this page.';
const YEAR_MS = 365 * 86_400_000;

describeInBrowser('how long what is kept, and what is held', () => {
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

  const visit = (path: string, caller: TestCaller = owner) =>
    ConsoleVisit.open(browser!, service, { key: caller.key, orgId: owner.orgId }, path);
  const submit = (seen: ConsoleVisit, name: string) =>
    seen.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const read = async <T>(path: string): Promise<T> =>
    (await call<T>(service, 'GET', `/api/organizations/${owner.orgId}/${path}`, { key: owner.key })).body;
  const holds = async () => (await read<{ items: Record<string, unknown>[] }>('legal-holds')).items;
  const storeOld = (years: number, caller: TestCaller = owner) => {
    const then = new Date(Date.now() - years * YEAR_MS);
    return storeConversation(service.db, {
      org_id: owner.orgId,
      created_by_user_id: caller.userId,
      created_at: then,
      updated_at: then,
    });
  };

  it('an owner sees what would go with other periods, and then sets them', async () => {
    for (const years of [2, 3, 0]) await storeOld(years);
    const seen = await visit('retention');
    expect((await seen.rows('Periods')).map(([, kept]) => kept)).toEqual([
      'neverthe default',
      'neverthe default',
      'neverthe default',
      '7 daysthe default',
      '7 daysthe default',
    ]);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button('Change the periods').click();
    await seen.field('Conversations, with all that is theirs').fill('400');
    await seen.field('Queued messages that were delivered or failed').fill('30');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'See what would go');
    await seen.page.getByText('Nothing is set yet.').waitFor();
    const going = await seen.rows('What would go');
    expect(going.map((cells) => cells.slice(0, 3))).toEqual([
      ['Conversations, with all that is theirs', '400 days', '2'],
    ]);
    expect(going.map((cells) => cells.slice(4, 6))).toEqual([['3 years ago', '2 years ago']]);
    expect(await seen.focused()).toBe('What would go');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(await read('retention')).toMatchObject({ conversations_days: null, updated_at: null });

    await submit(seen, 'Back');
    expect(await seen.field('Conversations, with all that is theirs').inputValue()).toBe('400');
    await seen.field('Conversations, with all that is theirs').fill('4000');
    await submit(seen, 'See what would go');
    await seen.page.getByText('Nothing that is there now would go.').waitFor();
    await submit(seen, 'Set the periods');
    await seen.row('4,000 days').waitFor();
    expect(await read('retention')).toMatchObject({
      conversations_days: 4000,
      messages_days: 30,
      events_days: null,
      archives_days: null,
      deliveries_days: null,
    });
    expect(await seen.focused()).toBe('Change the periods');
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('an admin reads the periods, and changes none; a member has no page of them', async () => {
    const reader = await visit('retention', await makeCaller(service.db, owner.orgId, 'admin'));
    expect(await reader.rows('Periods')).toHaveLength(5);
    expect(await reader.button('Change the periods').count()).toBe(0);
    expect(reader.takeFaults()).toEqual([]);
    await reader.close();
    const member = await visit('retention', await makeCaller(service.db, owner.orgId, 'member'));
    expect(await member.menu()).not.toContain('Retention');
    expect(await member.menu()).not.toContain('Legal holds');
    for (const page of ['retention', 'holds']) {
      await member.goTo(page);
      await member.page.getByRole('heading', { level: 1, name: NOT_ALLOWED }).waitFor();
    }
    expect(member.takeFaults()).toEqual([]);
    await member.close();
  });

  it('an admin holds a person with a reason, and lifts the hold', async () => {
    const admin = await makeCaller(service.db, owner.orgId, 'admin');
    const held = await makeCaller(service.db, owner.orgId);
    const seen = await visit('holds', admin);
    await seen.page.getByText('Nothing is held.').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button('Hold something').click();
    await seen.field('Person').fill('nobody@example.com');
    await seen.field('Reason').fill(`${SCRIPT} قضية ${'long-'.repeat(100)}`);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Hold');
    await seen.page.getByRole('alert').getByText('No member has this address.').waitFor();
    await seen.field('Person').fill(held.email.toUpperCase());
    await submit(seen, 'Hold');
    await seen.row(held.userId).waitFor();
    expect(await holds()).toMatchObject([
      { user_id: held.userId, conversation_id: null, created_by_user_id: admin.userId, lifted_at: null },
    ]);
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.page.getByRole('button', { name: /^Lift: / }).click();
    await seen.page.getByText('What was to be deleted or erased').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Lift the hold');
    await seen.row('lifted').waitFor();
    expect(await seen.page.getByRole('button', { name: /^Lift: / }).count()).toBe(0);
    expect(await seen.focused()).not.toBe('BODY');
    expect(await holds()).toMatchObject([{ lifted_by_user_id: admin.userId }]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('a conversation is held from its page, or by its id, and its owner cannot delete it then', async () => {
    const member = await makeCaller(service.db, owner.orgId);
    const { id } = await storeOld(0, member);
    const seen = await visit(`conversations/${id}`);
    await seen.button('Hold it').click();
    await seen.field('Reason').fill('Case 2026-117');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await submit(seen, 'Hold');
    await seen.page.getByText('It is held.').waitFor();
    expect(await seen.focused()).toBe('Hold it');
    expect(await holds()).toMatchObject([{ conversation_id: id, reason: 'Case 2026-117' }]);

    const its = await visit(`conversations/${id}`, member);
    expect(await its.button('Hold it').count()).toBe(0);
    await its.button('Delete').click();
    await submit(its, 'Delete');
    await its.page.getByRole('alert').getByText('legal hold').waitFor();
    expect(its.takeFaults()).toEqual([]);
    await its.close();

    await seen.goTo('holds');
    await seen.button('Hold something').click();
    await seen.field('A conversation').check();
    await seen.field('Id of the conversation').fill('none');
    await seen.field('Reason').fill('Another case');
    await submit(seen, 'Hold');
    await seen.page.getByRole('alert').waitFor();
    expect(await seen.field('Id of the conversation').getAttribute('aria-invalid')).toBe('true');
    await seen.field('Id of the conversation').fill(randomUUID());
    await submit(seen, 'Hold');
    await seen.page.getByRole('alert').getByText('Request id:').waitFor();
    await seen.field('Id of the conversation').fill(id);
    await submit(seen, 'Hold');
    await eventually(async () => expect(await seen.rows('Legal holds')).toHaveLength(2));
    await seen.page
      .getByRole('link', { name: `Conversation ${id}` })
      .first()
      .click();
    await seen.button('Hold it').waitFor();
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });
});
