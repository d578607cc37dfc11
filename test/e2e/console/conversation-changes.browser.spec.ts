import type { Browser, Locator } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import { type QueuedMessage, saying } from '../../support/queue/queued-messages';
import { ConversationClient } from '../../support/service/conversation-client';
import { ConversationService } from '../../support/service/conversation-service';
import { makeCaller, type TestCaller } from '../../support/service/factories';

const LIVE = 'Live: new events appear here.';

describeInBrowser('what is done with a conversation in the console', () => {
  let service: ConversationService;
  let browser: Browser | undefined;
  let admin: TestCaller;
  let member: TestCaller;
  let ofMember: ConversationClient;
  /** A conversation of the member, whose sandbox runs when a test begins. */
  let id: string;
  let visit: ConsoleVisit;

  const queuePath = (): string => `/api/v1/conversations/${id}/pending-messages`;

  const queue = async (...texts: readonly string[]): Promise<void> => {
    for (const text of texts) {
      const { status } = await ofMember.call('POST', queuePath(), { body: saying(text) });
      expect(status).toBe(200);
    }
  };

  /** The messages of the queue as the API has them. */
  const listed = async (state = 'queued'): Promise<QueuedMessage[]> =>
    (await ofMember.call<{ items: QueuedMessage[] }>('GET', `${queuePath()}?state=${state}`)).body.items;

  const textsOf = (messages: readonly QueuedMessage[]): (string | undefined)[] =>
    messages.map(({ content }) => content[0]?.text);

  const becomes = (status: string): Promise<void> =>
    eventually(async () => expect((await ofMember.record(id)).sandbox_status).toBe(status), 60_000);

  const pause = async (): Promise<void> => {
    const { sandbox_id } = await ofMember.record(id);
    await ofMember.call('POST', `/api/v1/sandboxes/${sandbox_id}/pause`);
    await becomes('PAUSED');
  };

  const open = async (caller: TestCaller): Promise<ConsoleVisit> => {
    visit = await ConsoleVisit.open(browser!, service.app, caller, `conversations/${id}`);
    await visit.page.getByText(LIVE).waitFor();
    return visit;
  };

  const waiting = (): Locator => visit.page.getByRole('list', { name: 'Queue' }).locator('> li');

  const shows = (...texts: readonly string[]): Promise<void> =>
    eventually(async () => expect(await waiting().locator('.text').allTextContents()).toEqual(texts));

  const isFocused = (text: string): Promise<void> =>
    eventually(async () =>
      expect(await visit.page.evaluate('document.activeElement?.textContent')).toBe(text),
    );

  beforeAll(async () => {
    service = await ConversationService.start({}, undefined, { hasConsole: true });
    browser = await startBrowser();
    const { db } = service.app;
    admin = await makeCaller(db, service.owner.orgId, 'admin');
    member = await makeCaller(db, service.owner.orgId, 'member');
    ofMember = new ConversationClient(service.app, member.key);
  });
  beforeEach(async () => {
    id = await ofMember.ready({ title: 'A conversation', initial_message: saying('first') });
    await ofMember.texts(id, 'agent', 1);
  });
  afterEach(async () => {
    await visit.close();
    await ofMember.call('DELETE', `/api/v1/app-conversations/${id}`);
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });

  it('pauses and resumes the sandbox, whose state and log are shown; what waits is delivered then', async () => {
    const page = await open(member);
    await page.button('Show the log').click();
    await page.page
      .getByRole('region', { name: 'Log of the agent server' })
      .getByText('listens on')
      .waitFor();
    expect(await page.obstaclesOfAllKinds()).toEqual([]);

    await page.button('Pause the sandbox').click();
    const dialog = page.page.getByRole('dialog');
    await dialog.getByText('Its agent server ends').waitFor();
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    await dialog.getByRole('button', { name: 'Pause the sandbox' }).click();
    await page.button('Resume the sandbox').waitFor();
    await isFocused('Resume the sandbox');
    await becomes('PAUSED');

    await queue('second');
    await shows('second');
    await page.button('Resume the sandbox').click();
    const answer = 'Echo from the embedded agent server: second';
    await page.page.getByRole('list', { name: 'Events' }).getByText(answer).waitFor();
    await page.page.getByText('No message waits.').waitFor();
    expect(page.takeFaults()).toEqual([]);
  });

  it('edits, moves and cancels what waits, by keyboard', async () => {
    await pause();
    await queue('one', 'two', 'three');
    const page = await open(member);
    await shows('one', 'two', 'three');
    expect(await page.obstaclesOfAllKinds()).toEqual([]);

    const press = async (row: string, name: string, key = 'Enter'): Promise<void> => {
      await waiting()
        .filter({ hasText: row })
        .getByRole('button', { name: `${name}: ` })
        .focus();
      await page.page.keyboard.press(key);
    };
    await press('three', 'Move up');
    await shows('one', 'three', 'two');
    await isFocused('Move up');
    await page.page.keyboard.press('Enter');
    await shows('three', 'one', 'two');
    // It cannot go further up.
    await isFocused('Move down');
    expect(textsOf(await listed())).toEqual(['three', 'one', 'two']);
    await page.page.getByText('The message is now number 1.').waitFor();

    await press('one', 'Edit', 'Space');
    const dialog = page.page.getByRole('dialog');
    await dialog.getByLabel('Text').fill('one, but <b>other</b>\nwords');
    await dialog.getByLabel('To an agent that runs').selectOption('When the run has ended');
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await shows('three', 'one, but <b>other</b>\nwords', 'two');
    expect(await listed()).toMatchObject([{ mode: 'steer' }, { mode: 'after_run' }, { mode: 'steer' }]);
    await isFocused('Edit');

    await press('two', 'Cancel message');
    await dialog.getByRole('button', { name: 'Cancel message' }).click();
    await shows('three', 'one, but <b>other</b>\nwords');
    await isFocused('Queue');
    expect(textsOf(await listed())).toEqual(['three', 'one, but <b>other</b>\nwords']);
    expect(page.takeFaults()).toEqual([]);
  });

  it('moves no part of a longer queue, and says what an edit would drop', async () => {
    await pause();
    await queue('one', 'two');
    const page = await open(member);
    await page.page.route(`**${queuePath()}`, async (route) => {
      const content = [{ type: 'text', text: 'words' }, { type: 'sound' }];
      const items = (await listed()).map((item) => ({ ...item, content }));
      await route.fulfill({ json: { items, next_page_id: 'more' } });
    });
    await page.page.reload();
    await page.page.getByText('More messages wait than are shown here.').waitFor();
    expect(await waiting().getByRole('button').allTextContents()).toEqual([
      'Edit',
      'Cancel message',
      'Edit',
      'Cancel message',
    ]);
    await page.button('Edit: words').first().click();
    await page.page.getByText('1 other part of it cannot be kept: saving removes it.').waitFor();
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    expect(page.takeFaults()).toEqual([]);
  });

  it('says why a message that is gone cannot be edited, and keeps what was typed until it is discarded', async () => {
    await pause();
    await queue('gone soon');
    const page = await open(member);
    await shows('gone soon');
    await page.button('Edit: gone soon').click();
    const dialog = page.page.getByRole('dialog');
    await dialog.getByLabel('Text').fill('typed long');
    const [message] = await listed();
    await ofMember.call('DELETE', `${queuePath()}/${message?.id}`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').getByText('Request id:').waitFor();
    expect(await dialog.getByLabel('Text').inputValue()).toBe('typed long');
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    // Nor is it dropped without a question.
    const question = page.page.getByRole('dialog', { name: 'Discard what you entered?' });
    for (const answer of ['Escape', 'Keep editing']) {
      await page.page.keyboard.press('Escape');
      await question.waitFor();
      expect(await page.obstaclesOfAllKinds()).toEqual([]);
      if (answer === 'Escape') await page.page.keyboard.press(answer);
      else await page.button(answer).click();
      await question.waitFor({ state: 'detached' });
      expect(await dialog.getByLabel('Text').inputValue()).toBe('typed long');
    }
    await page.button('Close').click();
    await page.button('Discard').click();
    await dialog.waitFor({ state: 'detached' });
    await page.button('Edit: gone soon').click();
    await page.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(page.takeFaults()).toEqual([]);
  });

  it('loses nothing when the session ends meanwhile: the change is made after signing in in another tab', async () => {
    await pause();
    await queue('old words');
    const page = await open(member);
    await shows('old words');
    await page.button('Edit: old words').click();
    await page.page.getByLabel('Text').fill('words typed long before');
    // The stream asks for a sign-in, too, whenever it comes to it.
    const tickets = '**/events/stream-ticket';
    await page.page.route(tickets, (route) => route.abort());
    await page.page.route(
      `**${queuePath()}/*`,
      async (route) => {
        const { body: sessions } = await ofMember.call<{ id: number }[]>('GET', '/api/sessions');
        for (const session of sessions) await ofMember.call('DELETE', `/api/sessions/${session.id}`);
        await route.continue();
      },
      { times: 1 },
    );
    await page.button('Save').click();
    const question = page.page.getByRole('dialog', { name: 'Your session has ended' });
    await question.waitFor();
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    expect(textsOf(await listed())).toEqual(['old words']);
    await page.page.keyboard.press('Escape');
    await page.page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await page.page.getByLabel('Text').inputValue()).toBe('words typed long before');
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    await page.button('Save').click();
    await question.waitFor();

    const [tab] = await Promise.all([
      page.page.waitForEvent('popup'),
      question.getByText('Sign in, in a new tab').click(),
    ]);
    await tab.locator('#key').fill(member.key);
    await Promise.all([tab.waitForEvent('close'), tab.locator('#key').press('Enter')]);
    await question.waitFor({ state: 'detached' });
    await shows('words typed long before');
    expect(textsOf(await listed())).toEqual(['words typed long before']);
    await page.page.unroute(tickets);
    await page.page.getByText(LIVE).waitFor();
    expect(page.takeFaults()).toEqual([]);
  });

  it('interrupts the agent, and deletes the conversation after asking', async () => {
    const page = await open(member);
    await page.button('Interrupt the agent').click();
    await page.page.getByText('The agent was interrupted.').waitFor();
    await page.button('Delete').click();
    const dialog = page.page.getByRole('dialog', { name: 'Delete this conversation?' });
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await isFocused('Delete');
    expect((await ofMember.call('GET', `/api/v1/app-conversations/${id}`)).status).toBe(200);
    await page.button('Delete').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor();
    expect((await ofMember.call('GET', `/api/v1/app-conversations/${id}`)).status).toBe(404);
    expect(page.takeFaults()).toEqual([]);
  });

  it.each(['owner', 'admin'] as const)("lets an %s stop a member's, who reads why", async (role) => {
    await pause();
    await queue('never to be delivered');
    const page = await open(role === 'owner' ? service.owner : admin);
    const watching = visit;
    await page.button('Stop').click();
    const dialog = page.page.getByRole('dialog', { name: 'Stop this conversation?' });
    await dialog.getByLabel('Reason').fill('Wrong <b>repository</b>.');
    expect(await page.obstaclesOfAllKinds()).toEqual([]);
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await page.page.getByText('1 queued message will not be delivered').waitFor();
    await isFocused('Stop');
    expect(textsOf(await listed('failed'))).toEqual(['never to be delivered']);
    expect(page.takeFaults()).toEqual([]);
    await watching.close();

    await open(member);
    await waiting().getByText('The conversation was stopped: Wrong <b>repository</b>.').waitFor();
    const events = visit.page.getByRole('list', { name: 'Events' });
    await eventually(async () =>
      expect(await events.locator('> li').first().innerText()).toContain('Stopped'),
    );
    await events.getByText('Wrong <b>repository</b>.').waitFor();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    expect(visit.takeFaults()).toEqual([]);
  });
});
