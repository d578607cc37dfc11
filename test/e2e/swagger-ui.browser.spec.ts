import type { Browser } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/service/app';
import { describeInBrowser, startBrowser } from '../support/browser/chromium';
import { eventually } from '../support/eventually';
import { makeCaller, makeOrg } from '../support/service/factories';
import { patience } from '../support/time-bound';

describeInBrowser('the page to try the API out, in a browser', () => {
  let service: TestApp;
  let browser: Browser | undefined;

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' } });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });

  it('calls an operation with the key it was given, under its own policy and from its own files', async () => {
    const caller = await makeCaller(service.db, (await makeOrg(service.db)).id);
    const page = await browser!.newPage({ viewport: { width: 1280, height: 1600 } });
    page.setDefaultTimeout(patience(30_000));
    const complaints: string[] = [];
    const foreign: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url) && !request.url().startsWith('data:'))
        foreign.push(request.url());
    });
    await page.goto(`${service.url}/docs`);

    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const scheme = page.locator('.auth-container', { hasText: 'X-Access-Token' });
    await scheme.locator('input').fill(caller.key);
    await scheme.getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).last().click();

    const operation = page.locator('#operations-Keys-getCurrentApiKey');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    const answered = page.waitForResponse(`${service.url}/api/keys/current`);
    await operation.getByRole('button', { name: 'Execute', exact: true }).click();
    expect((await answered).status()).toBe(200);
    const shown = operation.locator('.live-responses-table .response').first();
    expect(await shown.locator('.response-col_status').textContent()).toContain('200');
    await eventually(async () => expect(await shown.textContent()).toContain(caller.orgId));

    await page.getByRole('button', { name: 'Show the callbacks' }).click();
    const callback = page.locator('#operations-webhooks-onEventReceived');
    await callback.locator('.opblock-summary-control').click();
    await callback.getByText('webhook-signature').first().waitFor();
    await eventually(async () => expect(await callback.textContent()).toContain('MessageEvent'));

    expect(complaints).toEqual([]);
    expect(foreign).toEqual([]);
  });
});
