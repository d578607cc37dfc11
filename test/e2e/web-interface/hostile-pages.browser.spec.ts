import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { makeSmallInterface } from '../../support/web-interface/small-interface';
import { signIn } from '../../support/web-interface/watched-page';

const HOST = 'agents.test';

describeInBrowser('a page of somebody else, opened by who is signed in, in a browser', () => {
  let folder: string;
  let service: TestApp;
  let origin: string;
  let hostile: Server;
  let hostilePort: number;
  let browser: Browser | undefined;
  let context: BrowserContext;
  let caller: TestCaller;

  beforeAll(async () => {
    folder = await makeSmallInterface();
    const env = {
      APP_ROLE: 'api',
      SANDBOX_DRIVER: 'external',
      AGENT_SERVER_URL: 'http://127.0.0.1:9',
      EXTERNAL_ORG_ID: '*',
    };
    service = await startTestApp({ env, webInterface: folder });
    origin = `http://${HOST}:${new URL(service.url).port}`;
    hostile = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html').end('<title>Hostile</title>');
    });
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
    hostilePort = (hostile.address() as AddressInfo).port;
    browser = await startBrowser([HOST, 'evil.test']);
  });
  afterAll(async () => {
    await browser?.close();
    hostile.close();
    await service.close();
    await rm(folder, { recursive: true });
  });

  beforeEach(async () => {
    caller = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
    context = await browser!.newContext();
    const page = await context.newPage();
    await page.goto(`${origin}/settings`);
    await signIn(page, caller.key);
    await page.waitForURL(`${origin}/settings`);
    expect(await page.evaluate('document.cookie')).toBe('');
  });
  afterEach(() => context.close());

  const visit = async (host: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`http://${host}:${hostilePort}/`);
    return page;
  };
  const TARGET = '/api/v1/sandboxes';
  const countSandboxes = async () => {
    const [{ count }] = await service.db.query<[{ count: string }]>(
      'SELECT count(*) FROM sandboxes WHERE created_by_user_id = $1',
      [caller.userId],
    );
    return Number(count);
  };
  /** Has a page send a form. @returns the status of the response */
  const submit = async (page: Page, path: string, fields = '') => {
    const answered = page.waitForResponse(origin + path);
    await page.evaluate(`
      document.body.innerHTML = '<form method="post" action="${origin}${path}">${fields}</form>';
      document.forms[0].submit();`);
    return (await answered).status();
  };

  // Of the two, only the second is sent the cookie: it is the same site, at another port.
  describe.each(['evil.test', HOST])('at %s', (host) => {
    it('cannot change anything with the cookie, by request or by form', async () => {
      const page = await visit(host);
      const sent = page.waitForEvent('requestfailed', (request) => request.url() === origin + TARGET);
      await page.evaluate(
        `fetch('${origin}${TARGET}', { method: 'POST', mode: 'no-cors', credentials: 'include' }).catch(() => 0)`,
      );
      await sent;
      expect(await submit(page, TARGET)).toBe(401);
      expect(await countSandboxes()).toBe(0);
      // As a page of the service can.
      const own = await context.newPage();
      await own.goto(`${origin}/conversations`);
      const status = await own.evaluate(
        `fetch('${TARGET}', { method: 'POST' }).then((answer) => answer.status)`,
      );
      expect([status, await countSandboxes()]).toEqual([200, 1]);
    });

    it('cannot read anything with the cookie', async () => {
      const page = await visit(host);
      const read = (mode: string) =>
        page.evaluate<string>(
          `fetch('${origin}/api/sessions', { mode: '${mode}', credentials: 'include' })
             .then((answer) => answer.text()).catch((error) => error.name)`,
        );
      expect(await read('cors')).toBe('TypeError');
      expect(await read('no-cors')).toBe('TypeError');
    });

    it('cannot sign anybody out, or in as somebody else', async () => {
      const key = `<input name="key" value="${caller.key}">`;
      for (const path of ['/logout', '/login']) expect(await submit(await visit(host), path, key)).toBe(403);
      const own = await context.newPage();
      await own.goto(`${origin}/skills`);
      expect(await own.title()).toBe('Small');
    });

    it('cannot frame the interface or the sign-in page', async () => {
      const page = await visit(host);
      const refusals: string[] = [];
      page.on('console', (message) => refusals.push(message.text()));
      for (const path of ['/settings', '/login']) {
        await page.evaluate(`new Promise((resolve) => {
          document.body.innerHTML = '<iframe src="${origin}${path}"></iframe>';
          document.querySelector('iframe').onload = resolve;
        })`);
        const shown = await page
          .frames()[1]
          ?.evaluate<string>('document.title')
          .catch(() => 'none');
        expect(['Small', 'Sign in']).not.toContain(shown);
      }
      await eventually(() =>
        expect(refusals.filter((text) => text.includes('frame-ancestors'))).toHaveLength(2),
      );
    });
  });

  it('may link to the interface', async () => {
    const page = await visit('evil.test');
    await page.evaluate(`
      document.body.innerHTML = '<a href="${origin}/conversations/1">there</a>';
      document.querySelector('a').click();`);
    await page.waitForURL(`${origin}/conversations/1`);
    expect(await page.title()).toBe('Small');
  });
});
