import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../../support/browser/chromium';
import { eventually } from '../../support/eventually';
import { ProviderDouble } from '../../support/git/provider-double';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { describeWithInterface, REAL_INTERFACE } from '../../support/web-interface/real-interface';
import { signIn } from '../../support/web-interface/watched-page';
import { patience } from '../../support/time-bound';

const HOST = 'agents.test';
const PATIENCE_MS = 45_000;

interface Settings {
  readonly mcp_config: Record<string, { readonly url?: string }>;
}

describeWithInterface('in the web interface', () => {
  let double: ProviderDouble;
  let service: TestApp;
  let browser: Browser | undefined;
  let caller: TestCaller;
  let page: Page;
  /** Calls of the searches and settings that did not go well. */
  let failed: string[];

  beforeAll(async () => {
    double = await ProviderDouble.start();
    const env = { APP_ROLE: 'api', GIT_ALLOWED_HOSTS: double.host };
    service = await startTestApp({ env, webInterface: REAL_INTERFACE });
    browser = await startBrowser([HOST]);
    double.tokens.set('a-token', {
      repositories: ['bot/own', 'acme/web-0', 'acme/web-1'],
      branches: ['main', 'release/1'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
    await double.close();
  });

  beforeEach(async () => {
    caller = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
    page = await (await browser!.newContext()).newPage();
    page.setDefaultTimeout(patience(PATIENCE_MS));
    failed = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (/^\/api\/v1\/(git|settings)/.test(pathname) && response.status() >= 400)
        failed.push(`${response.status()} ${pathname}`);
    });
  });
  afterEach(() => page.context().close());

  const keep = (provider: string) =>
    call(service, 'POST', '/api/v1/git/credentials', {
      key: caller.key,
      body: {
        url_prefix: `${double.origin}/`,
        username: 'bot',
        password: 'a-token',
        git_provider: provider,
      },
    });
  const open = async (path: string): Promise<void> => {
    await page.goto(`http://${HOST}:${new URL(service.url).port}${path}`);
    await signIn(page, caller.key);
  };

  it.each(['github', 'gitlab', 'bitbucket', 'forgejo'])(
    'a repository and its branch are chosen, of %s',
    async (provider) => {
      await keep(provider);
      await open('/');
      await page.getByTestId('open-repository-button').click();
      await page.getByTestId('git-repo-dropdown').first().click();
      await page.getByText('acme/web-1').first().click();
      const branch = page.getByTestId('git-branch-dropdown-input').first();
      await eventually(async () => expect(await branch.inputValue()).toBe('main'), PATIENCE_MS);
      await branch.click();
      await page.getByText('release/1').first().click();
      await eventually(async () => expect(await branch.inputValue()).toBe('release/1'), PATIENCE_MS);
      expect(failed).toEqual([]);
    },
  );

  it('a server with tools is added', async () => {
    const servers = async () =>
      (await call<Settings>(service, 'GET', '/api/v1/settings', { key: caller.key })).body.mcp_config;
    await open('/mcp');
    await page.getByTestId('mcp-add-custom-server').click();
    await page.getByTestId('server-name-input').fill('tickets');
    await page.getByTestId('url-input').fill('https://mcp.example.com/mcp');
    await page.getByTestId('submit-button').click();
    await eventually(
      async () => expect(await servers()).toMatchObject({ tickets: { url: 'https://mcp.example.com/mcp' } }),
      PATIENCE_MS,
    );
    await page.getByTestId('mcp-server-item').waitFor();
    expect(failed).toEqual([]);
  });
});
