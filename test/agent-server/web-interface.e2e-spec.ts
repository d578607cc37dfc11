import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { report } from '../../bench/report';
import { isIsolated } from '../support/agent-server/sandbox-isolation';
import { startedBy } from '../support/agent-server/started-processes';
import { eventually } from '../support/eventually';
import { TestGitServer } from '../support/git/git-server';
import { ProviderDouble } from '../support/git/provider-double';
import { reply, type ScriptedModel } from '../support/model/scripted-model';
import type { ConversationService } from '../support/service/conversation-service';
import { InterfaceWithAgents, PATIENCE_MS } from '../support/web-interface/interface-with-agents';
import { describeWithInterface } from '../support/web-interface/real-interface';
import { signIn, type WatchedPage } from '../support/web-interface/watched-page';

const PASSWORD = 'the-password-of-a-repository';
/** How long the agent lets a command run: longer than any wait here. */
const SECONDS = 600;
/**
 * Waits until it is told to go on by a file in the home of its sandbox. The page shows a message before the agent server has it:
 * that is what the last seconds are for.
 */
const RAISE = 'until [ -e "$HOME/go" ]; do sleep 0.1; done; echo "price = 2;" > src/price.js; sleep 3';

/** What the page says of a sandbox that starts; it is in a style. */
const STEP_OF_START = `getComputedStyle(
  document.querySelector('[data-testid="interactive-chat-box"] span.truncate'), '::after').content`;
const STEPS = /^"(Working|Waiting for sandbox|Preparing repository|Starting conversation|Starting)/;

/** One person's way through the interface: each step goes on where the one before ended. */
describeWithInterface('the web interface with the real agent server, in a browser', () => {
  let visit: InterfaceWithAgents;
  let model: ScriptedModel;
  let git: TestGitServer;
  /** The API of the git server. */
  let forge: ProviderDouble;
  let service: ConversationService;
  let watched: WatchedPage;
  let page: Page;
  let origin: string;
  let failed: string | null = null;
  /** Of the first conversation. */
  let id: string;
  /** The second conversation, whose actions are confirmed. */
  let confirmed: string;

  beforeAll(async () => {
    git = await TestGitServer.start();
    forge = await ProviderDouble.start();
    forge.tokens.set(PASSWORD, { repositories: ['private/shop'], branches: ['main'] });
    git.behaviour = {
      auth: { prefix: '/private', username: 'bot', password: PASSWORD },
      api: { prefix: '/api/v1/', answer: (request, response) => forge.answer(request, response) },
    };
    await git.repository('private/shop', { 'README.md': '# The shop\n', 'src/price.js': 'price = 1;\n' });
    visit = await InterfaceWithAgents.start({ GIT_ALLOWED_HOSTS: git.host });
    ({ model, service, origin } = visit);
    watched = await visit.newPage();
    page = watched.page;
  });

  afterAll(async () => {
    if (process.env.RECORD === 'yes') recordRequests();
    await git.close();
    await forge.close();
    await visit.stop();
  });

  const recordRequests = (): void => {
    const calls = watched.requests.filter(({ name }) => name.includes(' /api/'));
    // The browser has most files in its cache after the first page.
    const files = watched.requests.length - calls.length;
    const slowest = calls.toSorted((a, b) => b.ms - a.ms).slice(0, 5);
    report('web-interface-walk', { calls: calls.length, files, slowest });
  };

  /** One step, in which nothing may go wrong. After a step that failed there is no way on. */
  const step = (name: string, run: () => Promise<void>): void => {
    it(name, async () => {
      if (failed !== null) throw new Error(`The way ended before this: ${failed}`);
      failed = name;
      await run();
      expect(await watched.takeFaults()).toEqual([]);
      failed = null;
    });
  };

  const shown = (name: string): Locator => page.getByTestId(name);
  const write = async (text: string): Promise<void> => {
    await shown('chat-input').fill(text);
    await shown('submit-button').click();
  };
  const idOfPage = async (): Promise<string> => {
    await page.waitForURL(({ pathname }) => /^\/conversations\/(?!task-)/.test(pathname));
    return new URL(page.url()).pathname.split('/')[2] ?? '';
  };
  const becomes = (conversation: string, status: string) =>
    eventually(async () => {
      expect((await service.record(conversation)).execution_status).toBe(status);
    }, PATIENCE_MS);
  const sandboxBecomes = (conversation: string, status: string) =>
    eventually(async () => {
      expect((await service.record(conversation)).sandbox_status).toBe(status);
    }, PATIENCE_MS);
  const toolCalls = (): Locator => shown('generic-event-message-title');
  const fromMenu = async (item: string): Promise<void> => {
    await shown('conversation-name').getByRole('button').click();
    await shown('conversation-name-context-menu').getByTestId(item).click();
  };

  step('is signed in to with the key', async () => {
    await page.goto(origin);
    await signIn(page, service.owner.key);
    await shown('home-chat-launcher').waitFor();
  });

  step('starts a conversation with a private repository, and shows its tool call while it runs', async () => {
    const stored = await service.call('POST', '/api/v1/git/credentials', {
      body: {
        url_prefix: `http://${git.host}/private`,
        git_provider: 'forgejo',
        username: 'bot',
        password: PASSWORD,
      },
    });
    expect(stored.status).toBe(201);
    await page.reload();
    await shown('open-repository-button').click();
    await shown('git-repo-dropdown').first().click();
    await page.getByText('private/shop').first().click();
    const branch = shown('git-branch-dropdown-input').first();
    await eventually(async () => expect(await branch.inputValue()).toBe('main'), PATIENCE_MS);
    await page.getByRole('button', { name: 'Confirm' }).click();
    model.when(
      'Raise the price',
      reply.terminal(`sh -c '${RAISE}' && git status --short && cat README.md`, SECONDS),
      reply.text('The price is raised.'),
    );
    await write('Hello.');
    id = await idOfPage();
    await eventually(async () => expect(await page.evaluate(STEP_OF_START)).toMatch(STEPS), PATIENCE_MS);
    await shown('conversation-card-title').getByText('Hello.').waitFor();
    // Its sandbox does not run yet: the message is queued.
    await write('Is anybody there?');
    await shown('user-message').getByText('Is anybody there?').waitFor();
    await shown('agent-message').first().waitFor();
    // In the moment in which a run ends the agent takes a message, and does not run for it.
    expect(await service.texts(id, 'user', 2)).toEqual(['Hello.', 'Is anybody there?']);
    await becomes(id, 'finished');
    expect(await shown('user-message').count()).toBe(2);
    await write('Raise the price, please.');
    await toolCalls().getByText('Running').waitFor();
    expect(await service.record(id)).toMatchObject({
      selected_repository: 'private/shop',
      selected_branch: 'main',
      git_provider: 'forgejo',
    });
    await shown('stop-button').waitFor();
    if (!isIsolated) return;
    // By default: its sandbox has namespaces of its own, and its agent server was forked.
    const agents = (await startedBy(Number(new URL(origin).port))).filter(
      ({ name }) => name === 'agent-server',
    );
    expect(agents.map(({ depth }) => depth > 1)).toEqual([true]);
  });

  step('takes a second message while the agent works, and shows the output of the tool', async () => {
    model.when('Thank you', reply.text('You are welcome.'));
    await write('Thank you!');
    await shown('user-message').getByText('Thank you!').waitFor();
    const path = `/api/v1/conversations/${id}/pending-messages?state=delivering,delivered`;
    await eventually(async () => {
      const { body } = await service.call<{ items: unknown[] }>('GET', path);
      expect(JSON.stringify(body.items.at(-1))).toContain('Thank you!');
    }, PATIENCE_MS);
    // The agent takes it after the tool: until then there is no event of it.
    await page.reload();
    await shown('user-message').getByText('Thank you!').waitFor();
    const { sandbox_id } = await service.record(id);
    await writeFile(join(service.dataDir, 'sandboxes', 'process', sandbox_id, 'go'), '');
    await shown('agent-message').getByText('You are welcome.').waitFor();
    expect(await shown('user-message').getByText('Thank you!').count()).toBe(1);
    await toolCalls().getByRole('button').click();
    await page.getByText('# The shop').waitFor();
    await becomes(id, 'finished');
  });

  step('uploads an attached file to where the agent works', async () => {
    model.when('What did I attach', reply.terminal('cat notes.txt'), reply.text('I have read it.'));
    const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Buy low.') };
    await shown('upload-image-input').setInputFiles(file);
    await page.getByText('notes.txt').first().waitFor();
    await write('What did I attach?');
    await shown('agent-message').getByText('I have read it.').waitFor();
    await toolCalls().last().getByRole('button').click();
    await page.getByText('Buy low.').waitFor();
    await becomes(id, 'finished');
  });

  step('renames a conversation', async () => {
    await fromMenu('rename-button');
    await shown('conversation-name-input').fill('Prices');
    await shown('conversation-name-input').press('Enter');
    await shown('conversation-name-title').getByText('Prices').waitFor();
    await eventually(async () => expect((await service.record(id)).title).toBe('Prices'), PATIENCE_MS);
  });

  step('shows the files that changed, with their changes', async () => {
    await shown('right-panel-toggle').click();
    await shown('conversation-tab-commits').click();
    await shown('uncommitted-changes-row-toggle').click();
    await shown('uncommitted-changes-row-content').getByText('src/price.js').click();
    await page.locator('.monaco-diff-editor .view-line').getByText('price = 2').first().waitFor();
    await shown('conversation-tab-files').click();
    await shown('files-tab-tree').getByText('README.md').click();
    await shown('files-tab-content').getByText('The shop').first().waitFor();
    await shown('right-panel-toggle').click();
  });

  step('stops an agent at work by the pause button, and goes on with the next message', async () => {
    model.when('Take your time', reply.hang(reply.text('Never said.')));
    await write('Take your time.');
    await eventually(() => expect(model.hanging).toBe(1), PATIENCE_MS);
    await shown('stop-button').click();
    await shown('play-button').waitFor();
    await becomes(id, 'paused');
    expect((await service.record(id)).sandbox_status).toBe('RUNNING');
    model.when('Go on', reply.text('I go on.'));
    await write('Go on, please.');
    await shown('agent-message').getByText('I go on.').waitFor();
    await becomes(id, 'finished');
  });

  step('wakes a paused sandbox by a message, each time on the same page', async () => {
    const { sandbox_id } = await service.record(id);
    for (const text of ['Wake up!', 'Wake up again!']) {
      expect((await service.call('POST', `/api/v1/sandboxes/${sandbox_id}/pause`)).status).toBe(200);
      await sandboxBecomes(id, 'PAUSED');
      // What was on its way at that moment may be refused.
      expect((await watched.takeFaults()).filter((fault) => !fault.includes(' 409'))).toEqual([]);
      await write(text);
      await shown('agent-message').getByText(`You said: ${text}`).waitFor();
      await becomes(id, 'finished');
      expect(await shown('user-message').getByText(text).count()).toBe(1);
    }
  });

  step('saves settings', async () => {
    await page.goto(`${origin}/settings/app`);
    await shown('git-user-name-input').fill('Ada Arnold');
    await shown('app-settings-screen').getByTestId('submit-button').click();
    await page.getByText('Settings saved').first().waitFor();
    // The interface has no link to this page where its back end is a remote one.
    await page.goto(`${origin}/settings/verification`);
    await page.getByText('Confirmation Mode').click();
    await shown('save-button').click();
    await page.getByText('Settings saved').first().waitFor();
    const { body } = await service.call('GET', '/api/v1/settings');
    expect(body).toMatchObject({
      git_user_name: 'Ada Arnold',
      conversation_settings: { confirmation_mode: true },
    });
  });

  step('asks before each action where settings want it, and has a confirmed one done', async () => {
    model.when('Make a list', reply.terminal('echo confirmed | tee list.txt'), reply.text('It is made.'));
    await page.goto(origin);
    await write('Make a list.');
    confirmed = await idOfPage();
    await shown('action-confirm-button').waitFor();
    // Until the run has ended that asked, the agent server takes a confirmation for one of what runs already.
    await eventually(async () => {
      const state = (await service.events(confirmed)).findLast(({ key }) => key === 'full_state');
      expect(state).toMatchObject({ value: { execution_status: 'waiting_for_confirmation' } });
    }, PATIENCE_MS);
    expect((await service.events(confirmed)).map(({ kind }) => kind)).not.toContain('ObservationEvent');
    await shown('action-confirm-button').click();
    await shown('agent-message').getByText('It is made.').waitFor();
    await becomes(confirmed, 'finished');
  });

  const stop = async (): Promise<void> => {
    await fromMenu('stop-button');
    await page.getByRole('button', { name: 'Confirm Close' }).click();
    await page.getByText('Conversation stopped').first().waitFor();
    await sandboxBecomes(confirmed, 'PAUSED');
  };

  step('stops a conversation, which goes on with the next message on the same page, each time', async () => {
    for (const text of ['Is it there?', 'Is it still there?']) {
      await stop();
      expect(await idOfPage()).toBe(confirmed);
      await write(text);
      await shown('agent-message').getByText(`You said: ${text}`).waitFor();
      await becomes(confirmed, 'finished');
      expect(await shown('user-message').getByText(text, { exact: true }).count()).toBe(1);
    }
    await stop();
  });

  step('deletes a conversation', async () => {
    await page.goto(`${origin}/conversations/${id}`);
    await shown('conversation-name-title').getByText('Prices').waitFor();
    await fromMenu('delete-button');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(({ pathname }) => pathname === '/conversations');
    await page.getByText('Prices').first().waitFor({ state: 'detached' });
    expect((await service.call('GET', `/api/v1/app-conversations/${id}`)).status).toBe(404);
    // The one that was stopped has not been woken by its page.
    expect((await service.record(confirmed)).sandbox_status).toBe('PAUSED');
  });
});
