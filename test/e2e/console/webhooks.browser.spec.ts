import type { Browser } from 'playwright-core';
import { newId } from '../../../src/kernel/common';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { eventually } from '../../support/eventually';
import { makeCaller, type TestCaller } from '../../support/service/factories';
import { type TestWebhook, WebhookFixture } from '../../support/webhooks/webhook-fixture';

const HOSTILE = '<img src=x onerror=alert(1)>';

describeInBrowser('the pages of webhooks', () => {
  let fixture: WebhookFixture;
  let browser: Browser | undefined;
  let admin: TestCaller;
  let visit: ConsoleVisit;
  beforeAll(async () => {
    fixture = await WebhookFixture.start({ hasConsole: true });
    browser = await startBrowser();
    admin = await makeCaller(fixture.db, fixture.orgId, 'admin');
    visit = await ConsoleVisit.open(browser, fixture.service, admin, 'webhooks');
  });
  afterEach(() => expect(visit.takeFaults()).toEqual([]));
  afterAll(async () => {
    await browser?.close();
    await fixture.stop();
  });

  /** A webhook, all of whose deliveries of three conversations have failed. */
  async function withFailures(): Promise<TestWebhook> {
    const webhook = await fixture.makeWebhook();
    fixture.receiver.react(webhook.path, () => ({ status: 500, body: HOSTILE }));
    await fixture.publish(...[1, 2, 3].map(() => fixture.happening(newId())));
    await eventually(async () =>
      expect((await fixture.deliveries(webhook)).map(({ attempts }) => attempts)).toEqual([1, 1, 1]),
    );
    await fixture.db.query(
      `WITH gone AS (DELETE FROM webhook_lanes WHERE webhook_id = $1)
       UPDATE webhook_deliveries SET state = 'failed', completed_at = now(), retry_at = NULL WHERE webhook_id = $1`,
      [webhook.id],
    );
    return webhook;
  }

  it('are for admins and owners, and not in the menu of members', async () => {
    expect(await visit.menu()).toContain('Webhooks');
    const owner = await ConsoleVisit.open(browser!, fixture.service, fixture.owner, 'webhooks');
    expect(await owner.menu()).toContain('Webhooks');
    expect(owner.takeFaults()).toEqual([]);
    await owner.close();
    const caller = await makeCaller(fixture.db, fixture.orgId, 'member');
    const member = await ConsoleVisit.open(browser!, fixture.service, caller, 'webhooks');
    expect(await member.menu()).not.toContain('Webhooks');
    expect(await member.page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Your role does not include this page.',
    );
    expect(await member.obstaclesOfAllKinds()).toEqual([]);
    expect(member.takeFaults()).toEqual([]);
    await member.close();
  });

  it('say that there is none, and make one whose secret is shown once', async () => {
    const { page } = visit;
    await visit.goTo('webhooks');
    await page.getByText('There is no webhook yet.').waitFor();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);

    await visit.button('New webhook').click();
    await page.getByLabel('URL').fill('https://localhost/x');
    await page.getByLabel('Description').fill(HOSTILE);
    await page.getByLabel('These kinds only').check();
    await page.getByLabel('conversation.created').check();
    await page.getByLabel('Other kinds').fill('member.*, MessageEvent');
    await page.getByLabel('Everything').check();
    expect(await page.getByLabel('Other kinds').isVisible()).toBe(false);
    await page.getByLabel('These kinds only').check();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.button('Make').click();
    await page.getByRole('alert').getByText('Request id:').waitFor();
    expect(await page.getByLabel('URL').getAttribute('aria-invalid')).toBe('true');
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);

    await page.getByLabel('URL').fill(fixture.receiver.url('/made'));
    await page.getByText('Only some conversations').click();
    await page.getByLabel('Tags').fill('team = tools\nקבוצה=א=ב');
    await visit.button('Make').click();
    const secret = await page.getByRole('dialog').locator('code').textContent();
    expect(secret).toMatch(/^whsec_/);
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.button('Close').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await visit.focused()).toBe('New webhook');
    expect(await page.content()).not.toContain(secret);

    const [row] = await fixture.db.query<object[]>(
      'SELECT url, description, kinds, conversation_ids, tags FROM webhooks WHERE org_id = $1',
      [fixture.orgId],
    );
    expect(row).toMatchObject({
      url: fixture.receiver.url('/made'),
      description: HOSTILE,
      kinds: ['conversation.created', 'member.*', 'MessageEvent'],
      conversation_ids: null,
      tags: { team: 'tools', קבוצה: 'א=ב' },
    });
    await eventually(async () =>
      expect(await visit.rows('Webhooks')).toEqual([
        [
          ...[
            fixture.receiver.url('/made'),
            HOSTILE,
            'conversation.created, member.*, MessageEvent',
            'Enabled',
          ],
          expect.any(String),
        ],
      ]),
    );
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
  });

  it('change one, disable and enable it, and rotate its secret', async () => {
    const { page } = visit;
    const webhook = await fixture.makeWebhook({ kinds: ['*'] });
    await visit.goTo(`webhooks/${webhook.id}`);
    await page.getByText('Nothing was sent in the last seven days.').waitFor();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);

    await visit.button('Change').click();
    await page.getByLabel('Description').fill('x'.repeat(500));
    await visit.button('Save').click();
    await page.getByText('Saved.').waitFor();
    await page.getByText('x'.repeat(500)).waitFor();
    expect(await visit.focused()).toBe('Change');
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);

    await visit.button('Disable').click();
    await page.getByText('Nothing more is sent. What waits fails').waitFor();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled: by request').waitFor();
    // The button that asked has become another one.
    await visit.button('Enable').waitFor();
    expect(await visit.focused()).not.toBe('BODY');
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.button('Enable').click();
    await visit.button('Disable').waitFor();

    await visit.button('Rotate the secret').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click();
    const secret = await page.getByRole('dialog').locator('code').textContent();
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(webhook.secret);
    await visit.button('Close').click();
    await page.getByText('Previous secret signs until').waitFor();
    expect(await visit.focused()).toBe('Rotate the secret');
    const [row] = await fixture.db.query<object[]>(
      'SELECT enabled, description FROM webhooks WHERE id = $1',
      [webhook.id],
    );
    expect(row).toEqual({ enabled: true, description: 'x'.repeat(500) });
  });

  it('send a test, and show what came of it as it comes', async () => {
    const { page } = visit;
    const webhook = await fixture.makeWebhook();
    fixture.receiver.react(webhook.path, () => ({ status: 200, body: HOSTILE }));
    await visit.goTo(`webhooks/${webhook.id}`);
    await visit.button('Send a test').click();
    await page.getByRole('definition').getByText('Delivered', { exact: true }).waitFor();
    const [[number, , , status, error, answer] = []] = await visit.rows('Attempts');
    expect([number, status, error, answer]).toEqual(['1', '200', '–', HOSTILE]);
    const [received] = fixture.receiver.at(webhook.path);
    expect(
      await page.getByRole('definition').getByText(String(received?.headers['webhook-id'])).count(),
    ).toBe(1);
    expect(JSON.parse((await page.locator('pre').last().textContent()) ?? '')).toEqual(received?.payload);
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await page.goBack();
    await page.getByRole('heading', { name: 'Webhook', exact: true }).waitFor();
  });

  it('list deliveries by their state, and send one or all failed ones again', async () => {
    const { page } = visit;
    const webhook = await withFailures();
    await visit.goTo(`webhooks/${webhook.id}`);
    await page.getByLabel('State').selectOption('Delivered');
    await page.getByText('No delivery is in this state.').waitFor();
    expect(page.url()).toMatch(/\?state=delivered$/);
    await page.goBack();
    await page.getByRole('region', { name: 'Deliveries' }).waitFor();
    await page.getByLabel('State').selectOption('Failed');
    await eventually(async () => expect(await visit.rows('Deliveries')).toHaveLength(3));
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);

    fixture.receiver.react(webhook.path, () => ({ status: 204 }));
    await page.getByRole('link', { name: 'conversation.created' }).first().click();
    await page.getByRole('cell', { name: HOSTILE }).waitFor();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.button('Send again').click();
    await page.getByRole('definition').getByText('Delivered', { exact: true }).waitFor();
    expect((await visit.rows('Attempts')).map(([, , , status]) => status)).toEqual(['500', '204']);

    await visit.goTo(`webhooks/${webhook.id}`);
    await visit.button('Send failed ones again').click();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await visit.button('Send again').click();
    await page.getByText('2 deliveries are sent again.').waitFor();
    await eventually(async () =>
      expect((await fixture.deliveries(webhook)).map(({ state }) => state)).toEqual([
        'delivered',
        'delivered',
        'delivered',
      ]),
    );
  });

  it('show deliveries in pages, each with an address of its own', async () => {
    const { page } = visit;
    const webhook = await fixture.makeWebhook();
    await fixture.publish(...Array.from({ length: 51 }, () => fixture.happening(newId())));
    await eventually(() => expect(fixture.receiver.at(webhook.path)).toHaveLength(51));
    await visit.goTo(`webhooks/${webhook.id}`);
    expect(await visit.rows('Deliveries')).toHaveLength(50);
    await page.getByRole('button', { name: 'Next page' }).click();
    await eventually(async () => expect(await visit.rows('Deliveries')).toHaveLength(1));
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    await page.reload();
    await page.getByRole('region', { name: 'Deliveries' }).waitFor();
    expect(await visit.rows('Deliveries')).toHaveLength(1);
    await page.getByRole('button', { name: 'First page' }).click();
    await eventually(async () => expect(await visit.rows('Deliveries')).toHaveLength(50));
  });

  it('say why something is not shown or not done', async () => {
    const { page } = visit;
    await visit.goTo(`webhooks/${newId()}`);
    await page.getByRole('alert').getByText('Request id:').waitFor();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);

    const webhook = await withFailures();
    await visit.goTo(`webhooks/${webhook.id}`);
    await fixture.db.query('UPDATE webhooks SET enabled = false WHERE id = $1', [webhook.id]);
    await visit.button('Send a test').click();
    await page.getByRole('alert').getByText('disabled').waitFor();
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
  });

  it('delete one, after asking', async () => {
    const { page } = visit;
    const webhook = await fixture.makeWebhook({ url: fixture.receiver.url('/deleted') });
    await visit.goTo('webhooks');
    await page.getByRole('link', { name: '/deleted' }).click();
    await visit.button('Delete').click();
    await visit.button('Cancel').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await visit.focused()).toBe('Delete');
    await visit.button('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The webhook was deleted.').waitFor();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    expect(await fixture.db.query('SELECT 1 FROM webhooks WHERE id = $1', [webhook.id])).toEqual([]);
    expect(await page.getByRole('link', { name: '/deleted' }).count()).toBe(0);
  });
});
