/**
 * Makes the pictures of docs/console.md: each page of the console of a made-up organization, as its owner sees it. Needs the built
 * console (`npm run build`) and Chromium.
 *
 *   node --require @swc-node/register scripts/console-screenshots.ts
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from '../test/support/browser/chromium';
import { ConsoleVisit } from '../test/support/console/console-visit';
import { storeConversation } from '../test/support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../test/support/service/app';
import { makeKey, makeMember, makeOrg, makeUser, type TestCaller } from '../test/support/service/factories';
import { call } from '../test/support/service/http';
import { startTestServer, stopTestServer } from '../test/support/service/test-server';

const IMAGES = join(__dirname, '..', 'docs', 'images', 'console');
const HOUR_MS = 3_600_000;

/** Pages, and what their pictures are called. */
const PAGES = [
  'overview',
  'conversations',
  'people',
  'keys',
  'git',
  'models',
  'marketplaces',
  'settings',
  'webhooks',
] as const;

const TITLES = [
  ['Fix the flaky login test', 'running', 0.84],
  ['Cache the search index', 'finished', 3.2],
  ['Retry a refund that timed out', 'finished', 1.75],
  ['Dark theme for the checkout', 'paused', 0.4],
  ['Export invoices as CSV', 'error', 0.12],
  ['Upgrade the payment client', 'finished', 5.9],
] as const;

async function fill(service: TestApp, owner: TestCaller): Promise<string> {
  const { db } = service;
  const org_id = owner.orgId;
  const names = ['admin@example.com', 'member@example.com', 'reviewer@example.com'];
  for (const [n, email] of names.entries())
    await makeMember(db, org_id, n === 0 ? 'admin' : 'member', await makeUser(db, { email }));
  const ids: string[] = [];
  for (const [n, [title, execution_status, accumulated_cost]] of TITLES.entries()) {
    const at = new Date(Date.now() - (n * 17 + 1) * HOUR_MS);
    const { id } = await storeConversation(db, {
      org_id,
      created_by_user_id: owner.userId,
      title,
      execution_status,
      accumulated_cost,
      llm_model: 'house/model',
      selected_repository: 'acme/shop',
      tags: { team: 'shop' },
      prompt_tokens: Math.round(accumulated_cost * 40_000),
      completion_tokens: 2_000,
      created_at: at,
      updated_at: at,
    });
    ids.push(id);
  }
  const post = (path: string, body: object) =>
    call(service, 'POST', path, { key: owner.key, headers: { 'X-Org-Id': org_id }, body });
  const own = `/api/organizations/${org_id}`;
  await post(`${own}/webhooks`, {
    url: 'https://hooks.example.com/conversations',
    kinds: ['conversation.*'],
  });
  await post(`${own}/members/invite`, { emails: ['new@example.com'] });
  await post(`${own}/profiles/reviews`, { llm: { model: 'openai/gpt-5', reasoning_effort: 'low' } });
  await post(`${own}/provider-connections`, { provider: 'openai', api_key: 'sk-example' });
  await post(`${own}/git-credentials`, { url_prefix: 'https://github.com/acme', password: 'ghp_example' });
  await post('/api/organizations/app', {
    max_budget_per_task: 2.5,
    registered_marketplaces: [{ name: 'team', source: 'github:acme/marketplace', auto_load: false }],
  });
  return ids[0] ?? '';
}

async function main(): Promise<void> {
  mkdirSync(IMAGES, { recursive: true });
  await startTestServer();
  const service = await startTestApp({ env: { APP_ROLE: 'api' }, hasConsole: true });
  const browser = await startBrowser();
  try {
    const org = await makeOrg(service.db, { name: 'Acme' });
    const person = await makeMember(
      service.db,
      org.id,
      'owner',
      await makeUser(service.db, { email: 'owner@example.com' }),
    );
    const { id: keyId, key } = await makeKey(service.db, person.id, { name: 'Laptop' });
    const owner: TestCaller = {
      userId: person.id,
      email: person.email,
      orgId: org.id,
      role: 'owner',
      keyId,
      key,
    };
    const conversation = await fill(service, owner);
    const visit = await ConsoleVisit.open(browser, service, owner, 'keys', {
      viewport: { width: 1200, height: 800 },
    });
    for (const page of [...PAGES, `conversations/${conversation}`]) {
      await visit.goTo(page);
      const name = page.includes('/') ? 'conversation' : page;
      await visit.page.screenshot({ path: join(IMAGES, `${name}.jpg`), type: 'jpeg', quality: 80 });
    }
    await visit.close();
  } finally {
    await browser.close();
    await service.close();
    await stopTestServer();
  }
}

void main();
