import type { Browser } from 'playwright-core';
import { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import { startBrowser } from '../../support/browser/chromium';
import { inviteOne, tokenOf } from '../../support/invitations/invitations';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { describeWithInterface, REAL_INTERFACE } from '../../support/web-interface/real-interface';
import { patience } from '../../support/time-bound';

const HOST = 'agents.test';
const PATIENCE_MS = 45_000;

describeWithInterface('somebody who was invited, in a browser', () => {
  let double: AgentServerDouble;
  let service: TestApp;
  let browser: Browser | undefined;
  beforeAll(async () => {
    double = await AgentServerDouble.start();
    service = await startTestApp({
      env: {
        APP_ROLE: 'api',
        SANDBOX_DRIVER: 'external',
        EXTERNAL_ORG_ID: '*',
        LLM_MODEL: 'house/model',
        AGENT_SERVER_URL: double.url,
        AGENT_SERVER_API_KEY: double.target.apiKey,
      },
      webInterface: REAL_INTERFACE,
    });
    browser = await startBrowser([HOST]);
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
    await double.stop();
  });

  it('comes from the link to the web interface without typing a key, and joins another organization by one click', async () => {
    const origin = `http://${HOST}:${new URL(service.url).port}`;
    const context = await browser!.newContext();
    context.setDefaultTimeout(patience(PATIENCE_MS));
    const page = await context.newPage();
    const visit = async (email: string): Promise<void> => {
      const org = await makeOrg(service.db, { name: 'Acme' });
      const made = await inviteOne(service, await makeCaller(service.db, org.id, 'owner'), email);
      await page.goto(`${origin}/api/organizations/members/invite/accept?token=${tokenOf(made)}`);
    };
    await visit('grace@example.com');
    await page.getByRole('textbox', { name: 'Your name' }).fill('Grace Hopper');
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('heading', { level: 1, name: 'Welcome to Acme' }).waitFor();
    await page.getByRole('link', { name: 'Start working' }).click();
    await page.getByTestId('home-screen').waitFor();
    // What mail proves, for whom other organizations are open.
    await service.db.query('UPDATE users SET confined_to_org_id = NULL WHERE email = $1', [
      'grace@example.com',
    ]);
    await service.db.query('UPDATE api_keys SET org_id = NULL');
    await visit('grace@example.com');
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('link', { name: 'Start working' }).click();
    await page.getByTestId('home-screen').waitFor();
    await context.close();
  });
});
