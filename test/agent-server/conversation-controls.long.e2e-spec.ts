import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { report } from '../../bench/report';
import { eventually } from '../support/eventually';
import { timeBound } from '../support/time-bound';
import { reply, type ScriptedModel } from '../support/model/scripted-model';
import type { ConversationService } from '../support/service/conversation-service';
import { makeCaller } from '../support/service/factories';
import { InterfaceWithAgents, PATIENCE_MS } from '../support/web-interface/interface-with-agents';
import { describeWithInterface } from '../support/web-interface/real-interface';
import type { WatchedPage } from '../support/web-interface/watched-page';

/** It is in a style. */
const TITLE_OF_BANNER = `getComputedStyle(
  document.querySelector('[data-testid="archived-conversation-banner"] p'), '::after').content`;

/** How long the agent lets a command run: longer than any wait here. */
const SECONDS = 600;
/** Runs until a file is in the home of its sandbox. */
const WAIT = 'until [ -e "$HOME/go" ]; do sleep 0.1; done';

describeWithInterface('conversations whose sandbox comes and goes, in a browser', () => {
  let visit: InterfaceWithAgents;
  let model: ScriptedModel;
  let service: ConversationService;
  let watched: WatchedPage;
  let page: Page;
  let id: string;
  let sandboxId: string;
  /** How long people wait, from pressing or writing to what they see, in ms. */
  const waited: Record<string, number> = {};

  beforeAll(async () => {
    visit = await InterfaceWithAgents.start();
    ({ model, service } = visit);
    watched = await visit.open('/');
    page = watched.page;
    await write('Hello.');
    await page.waitForURL(({ pathname }) => /^\/conversations\/(?!task-)/.test(pathname));
    id = new URL(page.url()).pathname.split('/')[2] ?? '';
    await shown('agent-message').getByText('You said: Hello.').waitFor();
    sandboxId = (await service.record(id)).sandbox_id;
  });
  afterAll(async () => {
    if (process.env.RECORD === 'yes') report('conversation-controls', waited);
    await visit.stop();
  });

  const shown = (name: string): Locator => page.getByTestId(name);
  const write = async (text: string): Promise<void> => {
    await shown('chat-input').fill(text);
    await shown('submit-button').click();
  };
  const sandboxBecomes = (status: string) =>
    eventually(async () => expect((await service.record(id)).sandbox_status).toBe(status), PATIENCE_MS);
  /** Each of them once, and none that could not be sent. */
  const expectAnswered = async (text: string): Promise<void> => {
    await shown('user-message').getByText(text, { exact: true }).waitFor();
    await shown('agent-message').getByText(`You said: ${text}`).waitFor();
    await eventually(async () =>
      expect(await shown('user-message').getByText(text, { exact: true }).count()).toBe(1),
    );
  };

  /** What goes wrong with an agent server that is killed is in the console, too. */
  const takeToasts = async (): Promise<string[]> =>
    (await watched.takeFaults()).filter((fault) => fault.startsWith('toast'));

  it.each(['once', 'twice'])(
    'a message wakes a paused sandbox on the page that is open, %s',
    async (time) => {
      const { status } = await service.call('POST', `/api/v1/sandboxes/${sandboxId}/pause`);
      expect(status).toBe(200);
      await sandboxBecomes('PAUSED');
      await write(`Wake up ${time}!`);
      await expectAnswered(`Wake up ${time}!`);
      expect(await watched.takeFaults()).toEqual([]);
    },
  );

  it('one whose agent server was killed is there again, with its history, and answers', async () => {
    const began = performance.now();
    await service.killAgentServer(sandboxId);
    await write('Are you well?');
    await expectAnswered('Are you well?');
    waited.killedToAnswer = Math.round(performance.now() - began);
    await shown('agent-message').getByText('You said: Hello.').waitFor();
    await sandboxBecomes('RUNNING');
    expect(await takeToasts()).toEqual([]);
  });

  it('one that fails whenever it is started says why, and takes the next message all the same', async () => {
    const told = page.getByText('Your next message tries to start it again.');
    await eventually(async () => {
      // The one that runs, and those that are started in its place; in between there is none.
      await service.killAgentServer(sandboxId).catch(() => undefined);
      expect(await told.count()).toBe(1);
    }, PATIENCE_MS);
    await sandboxBecomes('ERROR');
    await write('Once more!');
    await expectAnswered('Once more!');
    expect(await takeToasts()).toEqual([]);
  });

  it('the pause button stops the answer within a second, and the next message is answered', async () => {
    model.when('Take your time', reply.hang(reply.text('Never said.')));
    await write('Take your time.');
    await eventually(() => expect(model.hanging).toBe(1), PATIENCE_MS);
    const began = performance.now();
    await shown('stop-button').click();
    await shown('play-button').waitFor();
    waited.pressedToStopped = Math.round(performance.now() - began);
    expect(waited.pressedToStopped).toBeLessThan(timeBound(1000));
    await eventually(() => expect(model.hanging).toBe(0), PATIENCE_MS);
    expect((await service.record(id)).sandbox_status).toBe('RUNNING');
    model.when('Go on', reply.text('I go on.'));
    await write('Go on.');
    await shown('agent-message').getByText('I go on.').waitFor();
  });

  it('a page that is loaded again during a tool shows what was typed and queued and not taken yet', async () => {
    model.when('Wait for me', reply.terminal(WAIT, SECONDS), reply.text('I have waited.'));
    model.when('This, too', reply.text('I do both.'));
    await write('Wait for me.');
    await shown('generic-event-message-title').getByText('Running').waitFor();
    await write('Do this as well.');
    await shown('user-message').getByText('Do this as well.').waitFor();
    const queue = `/api/v1/conversations/${id}/pending-messages`;
    const body = { role: 'user', content: [{ type: 'text', text: 'This, too.' }] };
    expect((await service.call('POST', queue, { body })).status).toBe(200);
    const untaken = ['Do this as well.', 'This, too.'];
    // The agent server answers a message after the tool at which it arrives.
    await eventually(async () => {
      const { items } = (
        await service.call<{ items: unknown[] }>('GET', `${queue}?state=delivering,delivered`)
      ).body;
      expect(items.at(-1)).toMatchObject({ content: [{ text: untaken[0] }] });
    }, PATIENCE_MS);
    await page.reload();
    const lastTwo = async (): Promise<string[]> =>
      (await shown('user-message').allInnerTexts()).slice(-2).map((text) => text.trim());
    await eventually(async () => expect(await lastTwo()).toEqual(untaken), PATIENCE_MS);
    expect(await service.texts(id, 'user', 1)).not.toEqual(expect.arrayContaining(untaken.slice(0, 1)));
    await shown('generic-event-message-title').getByText('Running').waitFor();
    await writeFile(join(service.dataDir, 'sandboxes', 'process', sandboxId, 'go'), '');
    await shown('agent-message').getByText('I do both.').waitFor();
    expect((await service.texts(id, 'user', 2)).slice(-2)).toEqual(untaken);
    expect(await lastTwo()).toEqual(untaken);
    for (const text of untaken)
      expect(await shown('user-message').getByText(text, { exact: true }).count()).toBe(1);
    expect(await watched.takeFaults()).toEqual([]);
  });

  it('one of another member shows its history to an admin, who cannot write, and asks for nothing in vain', async () => {
    const admin = await makeCaller(service.app.db, service.owner.orgId, 'admin');
    const theirs = await visit.open(`/conversations/${id}`, admin.key);
    await theirs.page.getByTestId('agent-message').getByText('I go on.').waitFor();
    await theirs.page.getByTestId('archived-conversation-banner').waitFor();
    expect(await theirs.page.evaluate(TITLE_OF_BANNER)).toBe('"A conversation of somebody else"');
    await theirs.page.waitForLoadState('networkidle');
    expect(await theirs.page.getByTestId('chat-input').count()).toBe(0);
    expect(await theirs.page.getByText('Connecting').count()).toBe(0);
    await theirs.page.getByTestId('conversation-name').getByRole('button').click();
    const menu = theirs.page.getByTestId('conversation-name-context-menu');
    await menu.getByTestId('export-transcript-button').waitFor();
    for (const item of ['rename', 'stop', 'delete'])
      expect(await menu.getByTestId(`${item}-button`).isVisible()).toBe(false);
    expect(await theirs.takeFaults()).toEqual([]);
  });

  it('one whose sandbox is gone shows its history only', async () => {
    expect((await service.call('DELETE', `/api/v1/sandboxes/${sandboxId}`)).status).toBe(200);
    await sandboxBecomes('MISSING');
    await page.goto(`${visit.origin}/conversations/${id}`);
    await shown('agent-message').getByText('You said: Hello.').waitFor();
    await shown('archived-conversation-banner').waitFor();
    expect(await shown('chat-input').count()).toBe(0);
  });
});
