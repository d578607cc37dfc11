import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { type AuditRowFields, storeAuditRows } from '../../support/audit-log/audit-rows';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';

const SCRIPT = '<img src=x onerror=alert(1)>';
const ARABIC = 'مدير النظام';
const NOT_ALLOWED = 'Your role does not include this page.';

describeInBrowser('the page of the audit log', () => {
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

  const visit = (path = 'audit', caller: TestCaller = owner) =>
    ConsoleVisit.open(browser!, service, { key: caller.key, orgId: owner.orgId }, path);
  const store = (...rows: readonly AuditRowFields[]) => storeAuditRows(service.db, owner.orgId, rows);
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();
  const by = ({ userId }: TestCaller): AuditRowFields => ({
    actor: { kind: 'user', user_id: userId, key_prefix: null, session: true },
  });
  const actions = async (seen: ConsoleVisit) =>
    (await seen.rows('Rows of the audit log')).map(([, , action]) => action);
  const shows = (seen: ConsoleVisit, ...names: string[]) =>
    eventually(async () => expect(await actions(seen)).toEqual(names));

  it('is for who may see it: an owner and an admin, and no member', async () => {
    await store({ action: 'createWebhook' });
    for (const role of ['owner', 'admin'] as const) {
      const seen = await visit('audit', await makeCaller(service.db, owner.orgId, role));
      expect(await seen.menu()).toContain('Audit log');
      expect(await actions(seen)).toEqual(['createWebhook']);
      expect(seen.takeFaults()).toEqual([]);
      await seen.close();
    }
    const member = await visit('audit', await makeCaller(service.db, owner.orgId, 'member'));
    expect(await member.menu()).not.toContain('Audit log');
    await member.page.getByRole('heading', { level: 1, name: NOT_ALLOWED }).waitFor();
    expect(member.takeFaults()).toEqual([]);
    await member.close();
  });

  it('says that nothing is recorded, and that a filter lets nothing through', async () => {
    const seen = await visit();
    await seen.page.getByText('Nothing is recorded yet.').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.goTo('audit?action=changeMemberRole');
    await seen.page.getByText('No row has all of this.').waitFor();
    await seen.goTo('audit?since=yesterday');
    await seen.page.getByRole('alert').getByText('Request id:').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('is filtered by who, what, whom, what became of it and when; all of it is in the address', async () => {
    const admin = await makeCaller(service.db, owner.orgId, 'admin');
    const target = { type: 'user', id: randomUUID() };
    await store(
      { ...by(owner), at: at(1), action: 'first' },
      { ...by(admin), at: at(2), action: 'second', target },
      {
        ...by(admin),
        at: at(3),
        action: 'third',
        outcome: 'refused',
        status: 403,
        code: 'permission_denied',
      },
    );
    const seen = await visit();
    await shows(seen, 'third', 'second', 'first');
    await seen.field('Who').fill(admin.email);
    await seen.page.keyboard.press('Enter');
    await shows(seen, 'third', 'second');
    expect(new URL(seen.page.url()).searchParams.get('actor')).toBe(admin.userId);
    expect(await seen.page.evaluate('document.activeElement.name')).toBe('actor');
    await seen.field('Outcome').selectOption('Refused');
    await seen.button('Filter').click();
    await shows(seen, 'third');
    expect(await seen.focused()).toBe('Filter');
    await seen.page.reload();
    await shows(seen, 'third');
    expect(await seen.field('Outcome').inputValue()).toBe('refused');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.page.goBack();
    await shows(seen, 'third', 'second');
    expect(await seen.field('Outcome').inputValue()).toBe('');
    await seen.button('Clear the filters').click();
    await shows(seen, 'third', 'second', 'first');
    expect(await seen.focused()).not.toBe('BODY');
    await seen.field('Id of what it was done to').fill(target.id);
    await seen.button('Filter').click();
    await shows(seen, 'second');
    await seen.goTo(`audit?${new URLSearchParams({ since: at(1), until: at(2) }).toString()}`);
    await shows(seen, 'first');
    expect(await seen.field('From').inputValue()).not.toBe('');
    await seen.field('Action').fill('second');
    await seen.button('Filter').click();
    await seen.page.getByText('No row has all of this.').waitFor();
    await seen.field('Who').fill('nobody@example.com');
    await seen.button('Filter').click();
    await seen.page.getByText('No member has this address.').waitFor();
    expect(await seen.field('Who').getAttribute('aria-invalid')).toBe('true');
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('has pages, which Back leads through', async () => {
    await store(...Array.from({ length: 120 }, (_, n) => ({ at: at(n), action: `action${n}` })));
    const seen = await visit();
    expect((await actions(seen))[0]).toBe('action119');
    await seen.button('Next page').click();
    await eventually(async () => expect((await actions(seen))[0]).toBe('action69'));
    await seen.button('Next page').click();
    await eventually(async () => expect(await actions(seen)).toHaveLength(20));
    expect(await seen.button('Next page').count()).toBe(0);
    await seen.page.goBack();
    await eventually(async () => expect((await actions(seen))[0]).toBe('action69'));
    await seen.button('First page').click();
    await eventually(async () => expect((await actions(seen))[0]).toBe('action119'));
    await seen.goTo('audit?page_id=of-another-list');
    await seen.page.getByRole('alert').getByText('Request id:').waitFor();
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('shows all of a row: before and after side by side, whatever the texts are', async () => {
    const before = { name: SCRIPT, role: 'member', kinds: ['a'] };
    const after = { name: ARABIC, role: 'admin', note: 'long-'.repeat(200) };
    await store({
      ...by(owner),
      at: at(1),
      action: 'changeMemberRole',
      target: { type: 'user', id: owner.userId },
      changes: [{ table: 'org_members', id: owner.userId, before, after }],
      request_id: `req-${SCRIPT}`,
      personal: { address: '203.0.113.7', user_agent: `Mozilla ${SCRIPT} ${ARABIC}` },
    });
    const seen = await visit();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.page.getByRole('button', { name: /^Details: changeMemberRole/ }).press('Enter');
    const dialog = seen.page.getByRole('dialog');
    await dialog.waitFor();
    expect(await seen.rows(`org_members, ${owner.userId}`)).toEqual([
      ['name', SCRIPT, ARABIC],
      ['role', 'member', 'admin'],
      ['kinds', JSON.stringify(['a'], null, 2), '–'],
      ['note', '–', after.note],
    ]);
    for (const text of [owner.email, '203.0.113.7', `Mozilla ${SCRIPT} ${ARABIC}`, '200'])
      await dialog.getByText(text, { exact: true }).first().waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await seen.button('Copy: Request id').click();
    await seen.page.getByText('Copied').waitFor();
    expect(await seen.page.evaluate('navigator.clipboard.readText()')).toBe(`req-${SCRIPT}`);
    await seen.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await seen.focused()).toMatch(/^Details: changeMemberRole/);
    await seen.page.getByRole('button', { name: /^Details: changeMemberRole/ }).click();
    await dialog.getByRole('link', { name: 'All of this action' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(seen.page.url()).search).toBe('?action=changeMemberRole');
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it('shows of an erased person neither name nor where the call came from', async () => {
    const gone = randomUUID();
    await store(
      {
        at: at(1),
        action: 'first',
        actor: { kind: 'user', user_id: gone, key_prefix: null, session: true },
        personal: null,
      },
      {
        at: at(2),
        action: 'second',
        actor: { kind: 'operator', user_id: null, key_prefix: null, session: false },
        status: null,
      },
    );
    await service.db.query(
      `UPDATE audit_log SET entry = replace(entry, '"personal_digest":null', '"personal_digest":"ab"') WHERE org_id = $1`,
      [owner.orgId],
    );
    const seen = await visit();
    expect((await seen.rows('Rows of the audit log')).map(([, who]) => who)).toEqual([
      'An operator at the command line',
      `Somebody who is erased${gone}`,
    ]);
    await seen.page.getByRole('button', { name: /^Details: first/ }).click();
    await seen.page.getByRole('dialog').getByText('Erased with the person').waitFor();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });

  it.each([
    ['CSV', 'csv', ',second,'],
    ['JSON Lines', 'jsonl', '"action":"second"'],
    ['OCSF', 'ocsf', '"operation":"second"'],
  ] as const)('is exported as %s, with the same filters', async (label, extension, second) => {
    await store({ at: at(1), action: 'first' }, { at: at(2), action: 'second' });
    const seen = await visit('audit?action=second');
    const loading = seen.page.waitForEvent('download');
    await seen.button(`Export as ${label}`).click();
    const file = await loading;
    expect(file.suggestedFilename()).toContain(extension === 'csv' ? '.csv' : '.jsonl');
    let text = '';
    for await (const part of await file.createReadStream()) text += String(part);
    const lines = text.trim().split('\n');
    expect(lines).toHaveLength(extension === 'csv' ? 2 : 1);
    expect(lines.at(-1)).toContain(second);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();
  });
});
