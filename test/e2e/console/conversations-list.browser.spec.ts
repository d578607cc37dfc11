import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import {
  type StoredConversation,
  storeConversation,
  storeSandbox,
} from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeMember, makeOrg, type TestCaller } from '../../support/service/factories';

const HOSTILE = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';
const RIGHT_TO_LEFT = 'إصلاح اختبار تسجيل الدخول \u202e';
const LONG = `${'x'.repeat(400)} ${'long '.repeat(20)}`;
const TABLE = 'Conversations';

describeInBrowser('the list of conversations in the console', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let owner: TestCaller;
  let admin: TestCaller;
  let member: TestCaller;
  let visit: ConsoleVisit | undefined;

  const store = (
    caller: TestCaller,
    title: string | null,
    fields: Partial<StoredConversation> = {},
  ): Promise<StoredConversation> =>
    storeConversation(service.db, {
      org_id: caller.orgId,
      created_by_user_id: caller.userId,
      title,
      ...fields,
    });

  const storeNumbered = async (caller: TestCaller, many: number): Promise<void> => {
    for (let of = 1; of <= many; of++) await store(caller, `Number ${of}`, { updated_at: daysAgo(of) });
  };

  const open = async (caller: TestCaller, path = 'conversations'): Promise<ConsoleVisit> =>
    (visit = await ConsoleVisit.open(browser!, service, caller, path));

  const titles = async (of: ConsoleVisit): Promise<(string | undefined)[]> =>
    (await of.rows(TABLE)).map(([title]) => title);

  const shows = (of: ConsoleVisit, expected: readonly string[]): Promise<void> =>
    eventually(async () => expect(await titles(of)).toEqual(expected));

  /** What the page asks the API for, without the address of the service. */
  const askedBy = (page: Page): string[] => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/api/')) asked.push(`${request.method()} ${pathname}${search}`);
    });
    return asked;
  };

  const search = (of: ConsoleVisit) => of.page.getByRole('searchbox', { name: 'Search' });
  const query = (of: ConsoleVisit): string => new URL(of.page.url()).search;

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' }, hasConsole: true });
    browser = await startBrowser();
    const org = await makeOrg(service.db, { name: 'Acme' });
    owner = await makeCaller(service.db, org.id, 'owner');
    admin = await makeCaller(service.db, org.id, 'admin');
    member = await makeCaller(service.db, org.id, 'member');
    const ago = (days: number) => ({ created_at: daysAgo(days), updated_at: daysAgo(days) });
    await store(member, HOSTILE, { ...ago(1), execution_status: 'running', accumulated_cost: 3 });
    await store(member, RIGHT_TO_LEFT, {
      ...ago(2),
      execution_status: 'error',
      accumulated_cost: 1,
      tags: { team: 'a:b, c' },
    });
    const place = { org_id: org.id, created_by_user_id: owner.userId };
    const sandbox_id = await storeSandbox(service.db, place, { status: 'PAUSED' });
    const paused = { sandbox_id, execution_status: 'paused', accumulated_cost: 2 } as const;
    await store(owner, LONG, { ...ago(3), ...paused });
    const parent = await store(owner, null, { ...ago(40), llm_model: 'openai/gpt', accumulated_cost: 5 });
    await store(owner, 'Part of it', { ...ago(4), parent_conversation_id: parent.id });
    await store(owner, 'Deleted', { deleted_at: new Date() });
  });
  afterEach(async () => {
    await visit?.close();
    visit = undefined;
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });

  const long = `${LONG.slice(0, 120)}…`;
  const all = [HOSTILE, RIGHT_TO_LEFT, long, 'Untitled'];

  it.each(['owner', 'admin'] as const)('shows all of the organization to an %s', async (role) => {
    const page = await open(role === 'owner' ? owner : admin);
    await shows(page, all);
    const [first] = await page.rows(TABLE);
    expect(first?.slice(0, 6)).toEqual([HOSTILE, member.email, 'Running', 'Starting', '–', '$3.00']);
    expect(await page.page.getByText('4 items').isVisible()).toBe(true);
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    expect(page.takeFaults()).toEqual([]);
  });

  it('shows members their own, with the filters and columns there are for them', async () => {
    const page = await open(member);
    await shows(page, [HOSTILE, RIGHT_TO_LEFT]);
    expect(await page.button('Export as CSV').count()).toBe(0);
    expect(await page.page.getByRole('combobox', { name: 'Sandbox' }).count()).toBe(0);
    expect(await page.page.getByRole('columnheader', { name: 'Creator' }).count()).toBe(0);
    await page.button('Sort by Title, descending').click();
    await page.button('Sort by Title, ascending').click();
    await shows(page, [HOSTILE, RIGHT_TO_LEFT]);
    expect(query(page)).toBe('?sort_by=title&sort_order=asc');
    await page.page.getByLabel('Tag, as name:value').fill('team:a:b, c');
    await page.button('Add tag').click();
    await shows(page, [RIGHT_TO_LEFT]);
    await search(page).fill('nothing like it');
    await page.page.getByText('No conversation fits these filters.').waitFor();
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    await page.button('Clear filters').click();
    await shows(page, [HOSTILE, RIGHT_TO_LEFT]);
    expect(page.takeFaults()).toEqual([]);
  });

  it('finds, filters and sorts; its address has all of that, and Back undoes it', async () => {
    const page = await open(admin);
    await shows(page, all);
    await page.page.getByRole('combobox', { name: 'Sandbox' }).selectOption('PAUSED');
    await shows(page, [long]);
    expect(await page.page.getByText('1 item', { exact: true }).isVisible()).toBe(true);
    await page.page.goBack();
    await shows(page, all);

    await page.page.getByText('Agent: Any').click();
    await page.page.getByLabel('Error').check();
    await page.page.getByLabel('Running').check();
    await shows(page, [HOSTILE, RIGHT_TO_LEFT]);
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    await search(page).pressSequentially(member.email);
    await page.page.getByRole('combobox', { name: 'Created' }).selectOption('7d');
    await shows(page, [HOSTILE, RIGHT_TO_LEFT]);
    const asked = new URLSearchParams({ search: member.email });
    asked.append('execution_status', 'running');
    asked.append('execution_status', 'error');
    asked.append('time_window', '7d');
    // What was typed last counts beside what was chosen meanwhile.
    await eventually(() => expect(query(page)).toBe(`?${asked.toString()}`));

    await page.goTo(`conversations${query(page)}`);
    await shows(page, [HOSTILE, RIGHT_TO_LEFT]);
    expect(await search(page).inputValue()).toBe(member.email);
    await page.button('Clear filters').click();
    await page.button('Sort by Cost, descending').click();
    await shows(page, ['Untitled', HOSTILE, long, RIGHT_TO_LEFT]);
    await page.page.getByLabel('Sub-conversations, too').check();
    await eventually(async () => expect(await titles(page)).toContain('Part of it'));
    await page.goTo('conversations?page=x&sort_by=id&execution_status=odd&per_page=7&time_window=1');
    await shows(page, all);
    expect(page.takeFaults()).toEqual([]);
  });

  it('leads to pages of any distance, and asks for no more than it shows', async () => {
    const org = await makeOrg(service.db);
    const busy = await makeCaller(service.db, org.id, 'owner');
    await storeNumbered(busy, 65);
    const page = await open(busy);
    const asked = askedBy(page.page);
    const base = `/api/organizations/${org.id}`;
    const shown = (from: number, to: number): string[] =>
      Array.from({ length: to - from + 1 }, (_, index) => `Number ${from + index}`);
    await page.goTo('conversations');
    await shows(page, shown(1, 20));
    const list = (number: number): RegExp =>
      new RegExp(`^GET ${base}/conversations\\?.*\\bpage=${number}&per_page=20\\b`);
    expect(asked.toSorted()).toEqual([`GET ${base}`, expect.stringMatching(list(1)), `GET ${base}/me`]);
    await page.page.getByRole('spinbutton', { name: 'Page' }).fill('4');
    await page.button('Go').click();
    await shows(page, shown(61, 65));
    expect(asked.slice(3)).toEqual([expect.stringMatching(list(4))]);
    await page.button('Previous page').click();
    await shows(page, shown(41, 60));
    expect(query(page)).toBe('?page=3');
    expect(asked.slice(4)).toEqual([expect.stringMatching(list(3))]);
    // Somebody who types is waited for.
    await search(page).pressSequentially('number 6');
    await shows(page, ['Number 6', ...shown(60, 65)]);
    expect(asked.length).toBeLessThan(5 + 'number 6'.length);
    expect(page.takeFaults()).toEqual([]);
  });

  it('goes on page by page for members, and back to the first', async () => {
    const org = await makeOrg(service.db);
    const busy = await makeCaller(service.db, org.id, 'member');
    await storeNumbered(busy, 25);
    const page = await open(busy);
    const asked = askedBy(page.page);
    await page.page.getByText('25 items').waitFor();
    await page.button('Next page').click();
    await shows(page, ['Number 21', 'Number 22', 'Number 23', 'Number 24', 'Number 25']);
    expect(asked.map((one) => one.split('?')[0])).toEqual([
      'GET /api/v1/app-conversations/search',
      'GET /api/v1/app-conversations/count',
    ]);
    expect(await page.button('Next page').count()).toBe(0);
    await page.button('First page').click();
    await eventually(async () => expect(await titles(page)).toHaveLength(20));
    expect(page.takeFaults()).toEqual([]);
  });

  it('shows the columns that were chosen, also the next time', async () => {
    const page = await open(admin);
    await page.page.getByText('Columns', { exact: true }).click();
    await page.page.getByLabel('Tags', { exact: true }).check();
    await page.page.getByLabel('Cost', { exact: true }).uncheck();
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    const heads = (): Promise<string[]> => page.page.getByRole('columnheader').allTextContents();
    const chosen = ['Title', 'Creator', 'Agent', 'Sandbox', 'Model', 'Tags', 'Changed ▼'];
    expect(await heads()).toEqual(chosen);
    await page.goTo('conversations');
    expect(await heads()).toEqual(chosen);
    expect((await page.rows(TABLE)).map((cells) => cells[5])).toContain('team:a:b, c');
  });

  it('exports what is shown', async () => {
    const page = await open(admin, 'conversations?execution_status=error&sort_by=title&page=1');
    const [download] = await Promise.all([
      page.page.waitForEvent('download'),
      page.button('Export as CSV').click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('إصلاح');
    await page.page.context().clearCookies();
    await page.button('Export as CSV').click();
    await page.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    expect(page.takeFaults()).toEqual([]);
  });

  it('says why it cannot list, with the id of the request, and tries again', async () => {
    const page = await open(admin);
    const refused = {
      status: 400,
      headers: { 'X-Request-Id': 'asked-1' },
      json: { detail: 'A search of two letters is too short here.', code: 'search_too_short' },
    };
    await page.page.route('**/conversations?*search=zz*', (route) => route.fulfill(refused), { times: 1 });
    await search(page).fill('zz');
    const alert = page.page.getByRole('alert');
    await alert.getByText(refused.json.detail).waitFor();
    await alert.getByText('Request id: asked-1').waitFor();
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    await page.button('Try again').click();
    await page.page.getByText('No conversation fits these filters.').waitFor();
    expect(page.takeFaults()).toEqual([]);
  });

  it('says to members of an organization without any that there is none', async () => {
    const page = await open(await makeCaller(service.db, (await makeOrg(service.db)).id));
    await page.page.getByText('There is no conversation yet.').waitFor();
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
  });

  it.each(['member', 'owner'] as const)(
    'keeps two tabs of a person apart, as %s, that show two organizations',
    async (role) => {
      const one = await makeOrg(service.db, { name: 'One' });
      const two = await makeOrg(service.db, { name: 'Two' });
      const person = await makeCaller(service.db, one.id, role);
      await makeMember(service.db, two.id, role, { id: person.userId, email: person.email, name: null });
      const inOne = await store(person, 'In one');
      await store({ ...person, orgId: two.id }, 'In two');
      const page = await open(person);
      const other = await page.page.context().newPage();
      const inOther = `${service.url}/console/${two.id}/conversations`;
      await other.goto(inOther);
      await other.getByRole('link', { name: 'In two' }).waitFor();
      await page.page.getByRole('combobox', { name: 'Created' }).selectOption('7d');
      await shows(page, ['In one']);
      await other.getByRole('combobox', { name: 'Created' }).selectOption('7d');
      await other.getByRole('link', { name: 'In two' }).waitFor();
      expect(await other.getByRole('link', { name: 'In one' }).count()).toBe(0);
      await other.goto(`${inOther}/${inOne.id}`);
      await other.getByRole('alert').waitFor();
      expect(await other.getByText('In one').count()).toBe(0);
      expect(page.takeFaults()).toEqual([]);
    },
  );
});

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 86_400_000 + 3_600_000);
}
