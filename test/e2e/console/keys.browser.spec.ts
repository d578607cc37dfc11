import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { ConsoleVisit } from '../../support/console/console-visit';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';

describeInBrowser('the page of keys and sessions', () => {
  let service: TestApp;
  let browser: Browser | undefined;
  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' }, hasConsole: true });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
  });

  it('lists the keys, for everybody', async () => {
    const org = await makeOrg(service.db);
    const member = await makeCaller(service.db, org.id, 'member');
    const visit = await ConsoleVisit.open(browser!, service, { ...member, orgId: org.id }, 'keys');
    expect(await visit.rows('Keys and sessions')).toHaveLength(1);
    expect(await visit.obstaclesOfAllKinds()).toEqual([]);
    expect(visit.takeFaults()).toEqual([]);
    await visit.close();
  });
});
