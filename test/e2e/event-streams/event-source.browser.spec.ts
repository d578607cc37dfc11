import type { Browser, Page } from 'playwright-core';
import { OpenStreams } from '../../../src/outbound/event-streams';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { eventually } from '../../support/eventually';
import { storeConversation } from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { agentEvent, storeEvents } from '../../support/streams/stored-events';

/** In the browser: follows a stream as docs/streams.md#tickets says. */
const FOLLOW = `async ({ path, key }) => {
  window.seen = [];
  window.reasons = [];
  let last = '0';
  const open = async () => {
    const made = await fetch(path + '-ticket', { method: 'POST', headers: { 'X-Access-Token': key } });
    const { ticket } = await made.json();
    const source = new EventSource(path + '?after=' + last + '&ticket=' + ticket);
    source.onmessage = ({ data, lastEventId }) => {
      last = lastEventId;
      window.seen.push([Number(lastEventId), JSON.parse(data).note]);
    };
    source.addEventListener('end', ({ data }) => window.reasons.push(JSON.parse(data).reason));
    source.onerror = () => {
      source.close();
      void open();
    };
  };
  await open();
}`;

describeInBrowser('the EventSource of a browser', () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    app = await startTestApp();
    browser = await startBrowser();
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  it('opens a stream with a ticket, and goes on with another one where it was cut off', async () => {
    const {
      orgId: org_id,
      userId: created_by_user_id,
      key,
    } = await makeCaller(app.db, (await makeOrg(app.db)).id);
    const { id } = await storeConversation(app.db, { org_id, created_by_user_id });
    const store = (...notes: string[]): Promise<void> =>
      storeEvents(
        app,
        id,
        notes.map((note) => agentEvent({ note })),
      );
    const seen = (): Promise<unknown> => page.evaluate('[window.seen, window.reasons]');

    await store('stored before');
    await page.goto(`${app.url}/server_info`);
    const argument = JSON.stringify({ path: `/api/v1/conversation/${id}/events/stream`, key });
    await page.evaluate(`(${FOLLOW})(${argument})`);
    const before: [number, string][] = [[1, 'stored before']];
    await eventually(async () => expect(await seen()).toEqual([before, []]));

    await store('as it comes', 'with\nlines: 1.0 é');
    before.push([2, 'as it comes'], [3, 'with\nlines: 1.0 é']);
    await eventually(async () => expect(await seen()).toEqual([before, []]));

    for (const place of app.app.get(OpenStreams).places()) place.end('interrupted');
    await store('meanwhile');
    before.push([4, 'meanwhile']);
    await eventually(async () => expect(await seen()).toEqual([before, ['interrupted']]));
  });
});
