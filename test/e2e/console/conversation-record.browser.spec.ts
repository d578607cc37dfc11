import { randomUUID } from 'node:crypto';
import type { Browser, Locator } from 'playwright-core';
import { TransientEvents } from '../../../src/conversations/events';
import { OpenStreams } from '../../../src/outbound/event-streams';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import {
  type StoredConversation,
  storeConversation,
  storeSandbox,
} from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { agentEvent, storeEvents } from '../../support/streams/stored-events';

const HOSTILE = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';
const LIVE = 'Live: new events appear here.';

describeInBrowser('the record of a conversation in the console', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let owner: TestCaller;
  let admin: TestCaller;
  let member: TestCaller;
  let visit: ConsoleVisit | undefined;

  const store = async (
    caller: TestCaller,
    fields: Partial<StoredConversation> = {},
  ): Promise<StoredConversation> => {
    const place = { org_id: caller.orgId, created_by_user_id: caller.userId };
    const sandbox_id = await storeSandbox(service.db, place, { status: 'PAUSED' });
    return storeConversation(service.db, { ...place, sandbox_id, title: 'A conversation', ...fields });
  };

  /** @param number by which events sort */
  const message = (text: string, number = 0) =>
    agentEvent({
      kind: 'MessageEvent',
      source: 'agent',
      timestamp: new Date(Date.UTC(2026, 0, 2) + number * 1000).toISOString().slice(0, -1),
      llm_message: { role: 'assistant', content: [{ type: 'text', text }] },
    });

  const add = (id: string, ...events: ReturnType<typeof message>[]): Promise<void> =>
    storeEvents(service, id, events);

  const open = async (caller: TestCaller, id: string): Promise<ConsoleVisit> =>
    (visit = await ConsoleVisit.open(browser!, service, caller, `conversations/${id}`));

  const live = (of: ConsoleVisit): Promise<void> => of.page.getByText(LIVE).waitFor();

  const events = (of: ConsoleVisit): Locator => of.page.getByRole('list', { name: 'Events' }).locator('> li');

  /** The texts of the events that are shown, the newest first. */
  const texts = (of: ConsoleVisit): Promise<string[]> => events(of).locator('.text').allTextContents();

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' }, hasConsole: true });
    browser = await startBrowser();
    const org = await makeOrg(service.db, { name: 'Acme' });
    owner = await makeCaller(service.db, org.id, 'owner');
    admin = await makeCaller(service.db, org.id, 'admin');
    member = await makeCaller(service.db, org.id, 'member');
  });
  afterEach(async () => {
    await visit?.close();
    visit = undefined;
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });

  it.each(['owner', 'admin'] as const)(
    "is all that an %s reads of a member's, and nothing to change",
    async (role) => {
      const parent = await store(member);
      const { id, sandbox_id } = await store(member, {
        title: HOSTILE,
        parent_conversation_id: parent.id,
        selected_repository: 'javascript:alert(3)',
        selected_branch: 'main',
        pr_number: [41, 42],
        pr_merged: false,
        tags: { [HOSTILE]: HOSTILE, count: 3 },
        llm_model: 'anthropic/claude',
        accumulated_cost: 1.5,
        prompt_tokens: 1200,
        completion_tokens: 34,
        execution_status: 'running',
      });
      await add(id, message(`Read by ${role}`));
      const page = await open(role === 'owner' ? owner : admin, id);
      await live(page);
      await page.page.getByText(`This is a conversation of ${member.email}.`).waitFor();
      const facts = await page.page.locator('dl.facts > div').allInnerTexts();
      expect(facts.map((fact) => fact.replaceAll(/\s*\n\s*/g, ': '))).toEqual(
        expect.arrayContaining([
          `Title: ${HOSTILE}`,
          `Id: ${id}`,
          `Creator: ${member.email}`,
          'Agent: Running',
          'Repository: javascript:alert(3)',
          'Branch: main',
          'Pull requests: #41, #42, not merged',
          `Belongs to: ${parent.id}`,
          'Model: anthropic/claude',
          'Cost: $1.50',
          'Tokens: 1,234',
        ]),
      );
      expect(facts.join('\n')).toContain(`${HOSTILE}:${HOSTILE}`);
      expect(await page.page.locator('a[href^="javascript"]').count()).toBe(0);
      await page.page.getByText(String(sandbox_id)).first().waitFor();
      await page.page.getByText('Only its creator sees the queue of a conversation.').waitFor();
      await page.page.getByText('Only its creator reads the log of a sandbox').waitFor();
      expect(await texts(page)).toEqual([`Read by ${role}`]);
      const content = page.page.getByRole('main');
      expect(await content.locator('input, textarea, select').count()).toBe(0);
      expect(await content.getByRole('button').allTextContents()).toEqual([
        'Stop',
        'Hold it',
        'Download all events',
      ]);
      expect(await page.obstaclesOfAllKinds()).toEqual([]);
      expect(page.takeFaults()).toEqual([]);
    },
  );

  it("is there for a member's own, and for nobody else's", async () => {
    const own = await store(member, { title: null });
    const page = await open(member, own.id);
    await live(page);
    await page.page.getByRole('heading', { level: 1, name: 'Untitled' }).waitFor();
    await page.page.getByText('No message waits.').waitFor();
    await page.page.getByText('Nothing has happened yet.').waitFor();
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    const other = await store(admin, { title: 'Of the admin' });
    for (const id of [other.id, randomUUID(), 'nonsense', '..%2F..%2Fkeys', '%E0']) {
      await page.goTo(`conversations/${id}`);
      await page.page.getByRole('alert').getByText('Request id:').waitFor();
      expect(await page.page.getByText('Of the admin').count()).toBe(0);
    }
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    expect(page.takeFaults()).toEqual([]);
  });

  it('shows the newest events, older ones on demand, and new ones as they come', async () => {
    const { id } = await store(member);
    await add(id, ...Array.from({ length: 120 }, (_, index) => message(`Number ${index}`, index)));
    const asked: string[] = [];
    const page = await ConsoleVisit.open(browser!, service, member, 'conversations');
    visit = page;
    page.page.on('request', (request) => {
      if (request.url().includes('/events/search')) asked.push(new URL(request.url()).search);
    });
    await page.goTo(`conversations/${id}`);
    await live(page);
    const shown = (from: number, to: number): string[] =>
      Array.from({ length: from - to + 1 }, (_, index) => `Number ${from - index}`);
    await eventually(async () => expect(await texts(page)).toEqual(shown(119, 70)));
    expect(asked).toHaveLength(1);
    await add(id, message('As it comes', 200), message('And another', 201));
    const isNew = ['And another', 'As it comes'];
    await eventually(async () => expect(await texts(page)).toEqual([...isNew, ...shown(119, 70)]));
    await page.button('Load older events').click();
    await eventually(async () => expect(await texts(page)).toEqual([...isNew, ...shown(119, 20)]));
    await page.button('Load older events').click();
    await eventually(async () => expect(await texts(page)).toEqual([...isNew, ...shown(119, 0)]));
    expect(await page.button('Load older events').count()).toBe(0);
    expect(asked).toHaveLength(3);
    expect(page.takeFaults()).toEqual([]);
  });

  it('goes on where a stream was cut off', async () => {
    const { id } = await store(member);
    const page = await open(admin, id);
    await live(page);
    await add(id, message('Before', 1));
    await eventually(async () => expect(await texts(page)).toEqual(['Before']));
    for (const place of service.app.get(OpenStreams).places()) place.end('interrupted');
    await page.page.getByText('Not live: the connection was lost').waitFor();
    await add(id, message('Meanwhile', 2));
    await eventually(async () => expect(await texts(page)).toEqual(['Meanwhile', 'Before']));
    await live(page);
    for (const place of service.app.get(OpenStreams).places()) place.end('conversation_deleted');
    await page.page.getByText('Not live any more: the conversation was deleted.').waitFor();
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    expect(page.takeFaults()).toEqual([]);
  });

  it('shows events without a stream, where there may be no further one', async () => {
    const { id } = await store(member);
    await add(id, message('Without a stream'));
    const page = await ConsoleVisit.open(browser!, service, member, 'conversations');
    visit = page;
    await page.page.route('**/events/stream?*', (route) => route.fulfill({ status: 429 }));
    await page.goTo(`conversations/${id}`);
    await page.page.getByText('Not live: the connection was lost').waitFor();
    await eventually(async () => expect(await texts(page)).toEqual(['Without a stream']));
    await page.page.unroute('**/events/stream?*');
    await live(page);
    expect(await texts(page)).toEqual(['Without a stream']);
    expect(page.takeFaults()).toEqual([]);
  });

  it('shows words of an agent as it writes them, until the message has them all', async () => {
    const { id } = await store(member);
    const page = await open(member, id);
    await live(page);
    const words = page.page.getByText('The agent is writing');
    const say = (content: string): void =>
      service.app
        .get(TransientEvents)
        .pass(id, [
          JSON.stringify({ id: randomUUID(), kind: 'StreamingDeltaEvent', source: 'agent', content }),
        ]);
    say('All ');
    say('tests');
    await page.page.getByText('All tests', { exact: true }).waitFor();
    await words.waitFor();
    await add(id, message('All tests pass.'));
    await eventually(async () => expect(await texts(page)).toEqual(['All tests pass.']));
    expect(await words.count()).toBe(0);
  });

  it('shows the record anew when an event changes it', async () => {
    const { id } = await store(member, { execution_status: 'running' });
    const page = await open(admin, id);
    await live(page);
    await service.db.query(`UPDATE conversations SET execution_status = 'stuck' WHERE id = $1`, [id]);
    await add(
      id,
      agentEvent({ kind: 'ConversationStateUpdateEvent', key: 'execution_status', value: 'stuck' }),
    );
    await page.page.locator('dl.facts').getByText('Stuck').waitFor();
    expect(await texts(page)).toEqual(['execution_status: stuck']);
  });

  it('gives all events as a file, or says why not', async () => {
    const { id } = await store(member);
    const page = await open(member, id);
    await live(page);
    const [download] = await Promise.all([
      page.page.waitForEvent('download'),
      page.button('Download all events').click(),
    ]);
    expect(download.suggestedFilename()).toBe(`conversation-${id}.zip`);
    expect(await download.failure()).toBeNull();
    await page.page.route('**/download', (route) => {
      expect(route.request().headers()['x-org-id']).toBe(member.orgId);
      return route.fulfill({ status: 404, json: { detail: 'It is gone.' } });
    });
    await page.button('Download all events').click();
    await page.page.getByRole('alert').getByText('It is gone.').waitFor();
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    expect(page.takeFaults()).toEqual([]);
  });

  it('shows hostile, odd and long events as texts', async () => {
    const { id } = await store(member);
    const tool = { tool_name: HOSTILE, tool_call_id: 'x' };
    await add(
      id,
      message(HOSTILE),
      message('ل'.repeat(30_000)),
      agentEvent({ kind: 'MessageEvent', timestamp: 'yesterday', llm_message: { content: [null, 1, {}] } }),
      agentEvent({ kind: 'MessageEvent', source: HOSTILE, llm_message: { content: [{ type: 'image' }] } }),
      agentEvent({ kind: 'ActionEvent', ...tool, thought: 'no list', action: { command: HOSTILE } }),
      agentEvent({ kind: 'ActionEvent', ...tool, thought: [{ text: 'I think' }], action: { path: HOSTILE } }),
      agentEvent({ kind: 'ObservationEvent', ...tool, observation: { content: HOSTILE } }),
      agentEvent({ kind: 'AgentErrorEvent', ...tool, error: { not: 'a text' } }),
      agentEvent({ kind: 'ConversationErrorEvent', code: 'Broken', detail: HOSTILE }),
      agentEvent({ kind: 'ConversationErrorEvent', code: 'conversation_stopped', detail: 'Enough.' }),
      agentEvent({ kind: 'ConversationStateUpdateEvent', key: 'full_state', value: { agent: {} } }),
      agentEvent({ kind: '__proto__', source: 'constructor' }),
    );
    const page = await open(member, id);
    await live(page);
    await eventually(async () => expect(await events(page).count()).toBe(12));
    const shown = await texts(page);
    expect(shown).toEqual(expect.arrayContaining([HOSTILE, '[image]', `Broken\n${HOSTILE}`]));
    await page.button('Show all of it').click();
    await eventually(async () => expect((await texts(page)).map((text) => text.length)).toContain(30_000));
    for (const summary of await page.page.getByText('As JSON').all()) await summary.click();
    await eventually(async () => expect(await events(page).locator('pre').count()).toBe(12));
    expect(await page.page.locator('main img, main script').count()).toBe(0);
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    expect(page.takeFaults()).toEqual([]);
  });
});
