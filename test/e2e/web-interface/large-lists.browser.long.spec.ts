import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../../support/browser/chromium';
import { ConversationService } from '../../support/service/conversation-service';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { storeLongConversation, storeManyConversations } from '../../support/web-interface/large-records';
import { describeWithInterface, REAL_INTERFACE } from '../../support/web-interface/real-interface';
import { signIn, WatchedPage } from '../../support/web-interface/watched-page';
import { awakeMs } from '../../support/awake-clock';
import { timeBound } from '../../support/time-bound';

const HOST = 'agents.test';
const PATIENCE_MS = 45_000;
/** What a person waits for without a second thought, on a busy machine. */
const USABLE_WITHIN_MS = 10_000;

describeWithInterface('the web interface with very much in it, in a browser', () => {
  let service: ConversationService;
  let browser: Browser | undefined;
  let watched: WatchedPage;
  let page: Page;
  let origin: string;

  beforeAll(async () => {
    service = await ConversationService.start({}, PATIENCE_MS, { webInterface: REAL_INTERFACE });
    origin = `http://${HOST}:${new URL(service.app.url).port}`;
    browser = await startBrowser([HOST]);
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });

  beforeEach(async () => {
    watched = await WatchedPage.open(browser!, origin, PATIENCE_MS);
    page = watched.page;
  });
  afterEach(async () => {
    expect(await watched.takeFaults()).toEqual([]);
    await page.context().close();
  });

  const openAs = async (key: string, path: string): Promise<void> => {
    await page.goto(origin + path);
    await signIn(page, key);
  };

  it('lists 10,000 conversations page by page', async () => {
    const { db } = service.app;
    const caller = await makeCaller(db, (await makeOrg(db)).id, 'owner');
    await storeManyConversations(db, { org_id: caller.orgId, created_by_user_id: caller.userId }, 10_000);
    await openAs(caller.key, '/conversations');
    await page.getByText('Conversation 10000', { exact: true }).first().waitFor();
    await page.getByText('Conversation 9900', { exact: true }).waitFor({ state: 'detached' });
    const more = page.getByTestId('load-more-conversations');
    for (const oldest of ['Conversation 9971', 'Conversation 9951']) {
      await more.click();
      await page.getByText(oldest, { exact: true }).first().waitFor();
    }
  });

  it('shows the end of a conversation of 20,000 events first, and earlier ones on the way up', async () => {
    const id = await service.ready({ initial_message: { content: [{ type: 'text', text: 'Hello.' }] } });
    await service.texts(id, 'agent', 1);
    await storeLongConversation(service.app.db, id, 20_000);
    const began = awakeMs();
    await openAs(service.owner.key, `/conversations/${id}`);
    await page.getByText('Answer 20000', { exact: true }).waitFor();
    expect(awakeMs() - began).toBeLessThan(timeBound(USABLE_WITHIN_MS));
    await page.getByText('Answer 19800', { exact: true }).waitFor({ state: 'detached' });
    const box = page.getByTestId('chat-scroll-container');
    await box.hover();
    for (const earlier of ['Answer 19900', 'Answer 19800']) {
      while (!(await page.getByText(earlier, { exact: true }).isVisible())) await page.mouse.wheel(0, -2_000);
    }
    await watched.hears();
    await page.getByTestId('chat-input').fill('Still there?');
    await page.getByTestId('submit-button').click();
    await page.getByText('Echo from the embedded agent server: Still there?').waitFor();
  });
});
