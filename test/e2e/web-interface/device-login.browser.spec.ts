import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { startBrowser } from '../../support/browser/chromium';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { describeWithInterface, REAL_INTERFACE } from '../../support/web-interface/real-interface';
import { signIn } from '../../support/web-interface/watched-page';
import { patience } from '../../support/time-bound';

const PATIENCE_MS = 60_000;

const storedSchema = z.array(z.object({ host: z.string(), apiKey: z.string(), kind: z.string() }));
const begunSchema = z.object({ user_code: z.string(), verification_uri_complete: z.string() });

/** Served by somebody else, as it is built: it knows of no back end. */
async function serveInterface(): Promise<Server> {
  const app = express();
  // It is below a folder whose name begins with a dot.
  app.use(express.static(join(REAL_INTERFACE, 'files'), { dotfiles: 'allow' }));
  app.use((_, response) => response.sendFile('index.html', { root: REAL_INTERFACE }));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describeWithInterface('the web interface at another address, in a browser', () => {
  let elsewhere: Server;
  let origin: string;
  let service: TestApp;
  let browser: Browser | undefined;
  let caller: TestCaller;

  beforeAll(async () => {
    elsewhere = await serveInterface();
    origin = `http://localhost:${(elsewhere.address() as AddressInfo).port}`;
    service = await startTestApp({ env: { APP_ROLE: 'api', CORS_ORIGINS: origin } });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
    elsewhere.close();
    elsewhere.closeAllConnections();
  });
  beforeEach(async () => {
    caller = await makeCaller(service.db, (await makeOrg(service.db)).id);
  });

  /** Asks for a login in the form for a back end. @returns the page, and what the service answered */
  async function connect(): Promise<{ page: Page; login: z.output<typeof begunSchema> }> {
    const context = await browser!.newContext();
    context.setDefaultTimeout(patience(PATIENCE_MS));
    const page = await context.newPage();
    await page.goto(origin);
    await page.getByTestId('onboarding-backend-advanced-toggle').click();
    await page.getByTestId('onboarding-backend-cloud-host').fill(service.url);
    const answer = page.waitForResponse(`${service.url}/oauth/device/authorize`);
    await page.getByTestId('onboarding-backend-login-button').click();
    const login = begunSchema.parse(await (await answer).json());
    await page.getByTestId('onboarding-backend-auth-awaiting').waitFor();
    return { page, login };
  }

  /** Decides in another tab, in which nobody has signed in. */
  async function decide(page: Page, user_code: string, decision: string): Promise<void> {
    const tab = await page.context().newPage();
    await tab.goto(`${service.url}/oauth/device/verify?user_code=${user_code}`);
    await signIn(tab, caller.key);
    await tab.getByRole('button', { name: 'Go on' }).click();
    await tab.getByText('one that does not say what it is called').waitFor();
    await tab.getByRole('button', { name: decision, exact: true }).click();
    await tab.close();
  }

  it('gets a key of whoever approves in their browser, and works with it', async () => {
    const { page, login } = await connect();
    const used = page.waitForRequest(
      (request) => request.url().startsWith(`${service.url}/api/`) && 'authorization' in request.headers(),
    );
    await decide(page, login.user_code, 'Approve');
    const backends = await eventually(async () => {
      const stored = await page.evaluate<string>(`localStorage.getItem('openhands-backends') ?? '[]'`);
      return storedSchema.min(1).parse(JSON.parse(stored));
    }, PATIENCE_MS);
    expect(backends).toEqual([
      { host: service.url, kind: 'cloud', apiKey: expect.stringMatching(/^ocs_/) as string },
    ]);
    const key = backends[0]?.apiKey ?? '';
    expect((await call(service, 'GET', '/api/keys/current', { key })).body).toMatchObject({
      user_id: caller.userId,
      bound_org_id: caller.orgId,
    });
    expect((await used).headers().authorization).toBe(`Bearer ${key}`);
    await page.context().close();
  });

  it('says that it was refused', async () => {
    const { page, login } = await connect();
    await decide(page, login.user_code, 'Deny');
    await page.getByTestId('onboarding-backend-auth-error').getByText('denied').waitFor();
    await page.context().close();
  });
});
