import type { Browser } from 'playwright-core';
import { startBrowser } from '../../support/browser/chromium';
import { eventually } from '../../support/eventually';
import { storeConversation, storeSandbox } from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { describeWithInterface, REAL_INTERFACE } from '../../support/web-interface/real-interface';
import { signIn, WatchedPage } from '../../support/web-interface/watched-page';

const HOST = 'agents.test';
const PATIENCE_MS = 45_000;

describeWithInterface('a conversation whose sandbox does not come, in a browser', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  let caller: TestCaller;
  let watched: WatchedPage;
  let origin: string;

  beforeAll(async () => {
    // Without a worker nothing is started, and nothing delivered.
    service = await startTestApp({ env: { APP_ROLE: 'api' }, webInterface: REAL_INTERFACE });
    origin = `http://${HOST}:${new URL(service.url).port}`;
    browser = await startBrowser([HOST]);
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });
  beforeEach(async () => {
    caller = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
    watched = await WatchedPage.open(browser!, origin, PATIENCE_MS);
  });
  afterEach(() => watched.page.context().close());

  const store = async (status: string): Promise<{ id: string; sandboxId: string }> => {
    const owner = { org_id: caller.orgId, created_by_user_id: caller.userId };
    const sandboxId = await storeSandbox(service.db, owner, { status });
    const fields = { ...owner, sandbox_id: sandboxId, execution_status: 'finished' };
    return { id: (await storeConversation(service.db, fields)).id, sandboxId };
  };
  const open = async (id: string): Promise<void> => {
    await watched.page.goto(`${origin}/conversations/${id}`);
    await signIn(watched.page, caller.key);
  };

  it('says why it failed, line by line', async () => {
    const { id, sandboxId } = await store('ERROR');
    const lines = ['It ended while it started:', 'Traceback (most recent call last):', 'MemoryError'];
    await service.db.query('UPDATE sandboxes SET status_detail = $1 WHERE id = $2', [
      lines.join('\n'),
      sandboxId,
    ]);
    const { page } = watched;
    await page.route('**/resume', (route) => route.fulfill({ json: { success: true } }));
    await open(id);
    const told = page.getByText('Your next message tries to start it again.');
    await told.waitFor();
    expect((await told.innerText()).split('\n').slice(0, 2)).toEqual(lines.slice(0, 2));
    expect(await watched.takeFaults()).toEqual([]);
  });

  it('takes messages until its queue is full, then says what to do, and keeps what is typed until there is room', async () => {
    const { id } = await store('STARTING');
    const queue = `/api/v1/conversations/${id}/pending-messages`;
    const ask = (method: string, path: string, body?: unknown) =>
      call<{ id: string; items: { content: unknown }[] }>(service, method, path, { key: caller.key, body });
    const content = (text: string) => [{ type: 'text', text }];
    let last = '';
    for (let n = 1; n <= 10; n++)
      ({ id: last } = (await ask('POST', queue, { content: content(`Message ${n}`) })).body);
    await open(id);
    const { page } = watched;
    await page.getByTestId('user-message').getByText('Message 10', { exact: true }).waitFor();
    await page.getByTestId('chat-input').fill('One more.');
    await page.getByTestId('submit-button').click();
    const told = page.getByText('At most 10 messages can wait for a conversation; try again when some were');
    await told.waitFor();
    await page.getByTestId('user-message').getByText('One more.').waitFor();
    expect((await ask('GET', queue)).body.items).toHaveLength(10);
    expect((await ask('DELETE', `${queue}/${last}`)).status).toBe(204);
    await eventually(async () => {
      const { items } = (await ask('GET', queue)).body;
      expect(items.at(-1)?.content).toEqual(content('One more.'));
    }, PATIENCE_MS);
    expect(await page.getByTestId('user-message').getByText('One more.').count()).toBe(1);
  });
});
