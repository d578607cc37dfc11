import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { ensureAgentServer } from '../../scripts/agent-server-environment';
import { startBrowser } from '../support/browser/chromium';
import { eventually } from '../support/eventually';
import { reply, ScriptedModel } from '../support/model/scripted-model';
import { ConversationService } from '../support/service/conversation-service';
import { Crawler } from '../support/web-interface/crawler';
import { describeWithInterface, REAL_INTERFACE } from '../support/web-interface/real-interface';
import { WatchedPage } from '../support/web-interface/watched-page';

const PATIENCE_MS = 90_000;
const HOST = 'agents.test';

/** What ends the conversation, or leads out of the interface; and of a catalogue all but a few. */
const SPARED = /confirm|delete|stop-button|logout|mcp-marketplace-(card|toggle)-(?!github|slack)/i;

/** What a form says that is sent empty. */
const EXPECTED = /: toast: .* is required$/;

/** The crawl of one page. */
const PAGE_MS = 900_000;

const PAGES = [
  ...[
    '/',
    '/conversations',
    '/launch',
    '/customize',
    '/skills',
    '/plugins',
    '/apps',
    '/mcp',
    '/extensions/x',
  ],
  ...['app', 'llm', 'secrets', 'agent', 'agents', 'condenser', 'agent-context', 'verification'].map(
    (name) => `/settings/${name}`,
  ),
];

describeWithInterface('every control of the web interface, pressed in a browser', () => {
  let folder: string;
  let model: ScriptedModel;
  let service: ConversationService;
  let browser: Browser | undefined;
  let crawler: Crawler;
  let origin: string;

  beforeAll(async () => {
    const { command } = await ensureAgentServer();
    folder = await mkdtemp(join(tmpdir(), 'crawl-'));
    await chmod(folder, 0o755);
    model = await ScriptedModel.start();
    model.when('Make a list', reply.terminal('echo one > list.txt'), reply.text('It is made.'));
    service = await ConversationService.start(
      {
        ...{ SANDBOX_DRIVER: 'process', SANDBOX_ISOLATION: 'none', AGENT_SERVER_COMMAND: command },
        ...{ LLM_MODEL: 'openai/scripted', LLM_BASE_URL: model.baseUrl, LLM_API_KEY: 'scripted-model-key' },
        DATA_DIR: folder,
      },
      PATIENCE_MS,
      { webInterface: REAL_INTERFACE },
    );
    origin = `http://${HOST}:${new URL(service.app.url).port}`;
    browser = await startBrowser([HOST]);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(PATIENCE_MS);
    const watched = await WatchedPage.open(browser, origin, PATIENCE_MS);
    crawler = await Crawler.on(watched, { depth: 2, spare: SPARED, expected: EXPECTED });
    await watched.page.goto(origin);
    await watched.page.getByLabel('Your key').fill(service.owner.key);
    await watched.page.getByRole('button', { name: 'Sign in' }).click();
    await watched.page.getByTestId('home-chat-launcher').waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await service.close();
    await model.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(PAGES)(
    'does something on %s, without an error',
    async (path) => {
      expect(await crawler.crawl(origin + path)).toEqual([]);
    },
    PAGE_MS,
  );

  it(
    'does something on the page of a conversation, without an error',
    async () => {
      const content = [{ type: 'text', text: 'Make a list.' }];
      const id = await service.ready({ initial_message: { role: 'user', content } });
      await eventually(
        async () => expect(await service.record(id)).toMatchObject({ execution_status: 'finished' }),
        PATIENCE_MS,
      );
      expect(await crawler.crawl(`${origin}/conversations/${id}`)).toEqual([]);
    },
    PAGE_MS,
  );
});
