import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { makeCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { WebhookFixture } from '../../support/webhooks/webhook-fixture';

describeInBrowser('kinds that webhooks are sent', () => {
  let fixture: WebhookFixture;
  let browser: Browser | undefined;
  beforeAll(async () => {
    fixture = await WebhookFixture.start({ hasConsole: true });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await fixture.stop();
  });

  it('offer rows of the audit log to who may read it, beside everything else', async () => {
    const audit = 'Rows of the audit log, too (audit.recorded)';
    const maker = await makeCaller(fixture.db, fixture.orgId, 'owner');
    const seen = await ConsoleVisit.open(browser!, fixture.service, maker, 'webhooks');
    await seen.button('New webhook').click();
    await seen.page.getByLabel('URL').fill(fixture.receiver.url('/audit'));
    await seen.field(audit).check();
    expect(await seen.obstaclesOfAllKinds()).toEqual([]);
    await seen.button('Make').click();
    await seen.page.getByRole('dialog').locator('code').waitFor();
    await seen.button('Close').click();
    await seen.page.getByRole('link', { name: '/audit' }).click();
    await seen.page.getByText('Everything, audit.recorded').waitFor();
    await seen.button('Change').click();
    expect(await seen.field(audit).isChecked()).toBe(true);
    await seen.page.getByLabel('Description').fill('To the SIEM');
    await seen.button('Save').click();
    await seen.page.getByText('To the SIEM').waitFor();
    const kinds = 'SELECT kinds FROM webhooks WHERE org_id = $1';
    expect(await fixture.db.query(kinds, [fixture.orgId])).toEqual([{ kinds: ['*', 'audit.recorded'] }]);
    expect(seen.takeFaults()).toEqual([]);
    await seen.close();

    const { key } = fixture.owner;
    const path = `/api/organizations/${fixture.orgId}`;
    const permissions = ['view_org_settings', 'manage_webhooks'];
    const body = { name: 'Hooks', permissions };
    const role = await call<{ id: string }>(fixture.service, 'POST', `${path}/roles`, { key, body });
    const caller = await makeCaller(fixture.db, fixture.orgId, 'member');
    await call(fixture.service, 'PATCH', `${path}/members/${caller.userId}`, {
      key,
      body: { own_role_id: role.body.id },
    });
    const without = await ConsoleVisit.open(browser!, fixture.service, caller, 'webhooks');
    await without.button('New webhook').click();
    await without.page.getByLabel('These kinds only').check();
    await without.field('conversation.created').waitFor();
    expect(await without.page.getByRole('dialog').getByText('audit.recorded').count()).toBe(0);
    expect(without.takeFaults()).toEqual([]);
    await without.close();
  });
});
