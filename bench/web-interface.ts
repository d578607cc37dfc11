/**
 * What the web interface costs: time from the press of "Sign in" until it can be used; time to its first paint and until it
 * can be used, requests and bytes, with nothing in the browser's cache and with everything, of its first page, of the list of
 * 10,000 conversations and of a conversation of 20,000 events; memory of the service that serves it, and of the pages. Needs the
 * built service (`npm run build`), the interface (`npm run web:install`) and Chromium.
 *
 *   npm run bench -- web-interface [--rounds 3]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext } from 'playwright-core';
import { newKey } from '../src/accounts/api-keys/keys/key-format';
import { createDataSource } from '../src/kernel/database';
import { startBrowser } from '../test/support/browser/chromium';
import { createTestDatabase } from '../test/support/database/postgres';
import { storeConversation } from '../test/support/queue/conversation-rows';
import { freePort } from '../test/support/service/free-port';
import { startTestServer, stopTestServer } from '../test/support/service/test-server';
import {
  type Owner,
  storeLongConversation,
  storeManyConversations,
} from '../test/support/web-interface/large-records';
import { REAL_INTERFACE } from '../test/support/web-interface/real-interface';
import { signIn } from '../test/support/web-interface/watched-page';
import { options } from './options';
import { type Place, SETTLE_MS, type Visit, visits } from './page-visits';
import { report } from './report';

const { rounds: ROUNDS } = options({ rounds: 3 });
const ROOT = join(__dirname, '..');
const AT_ONCE = 8;
const CONVERSATIONS = 10_000;
const EVENTS = 20_000;

const HOME: Place = { path: '/', usable: (page) => page.getByTestId('home-chat-launcher') };

async function started(url: string): Promise<void> {
  for (;;) {
    const isReady = await fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(100);
  }
}

function memoryMiB({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid ?? 'self'}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

/** Fills the database, as the owner of the key. @returns the pages to visit */
async function makePlaces(databaseUrl: string): Promise<Readonly<Record<string, Place>>> {
  const db = await createDataSource(databaseUrl).initialize();
  try {
    const [owner] = await db.query<Owner[]>(
      'SELECT org_id, user_id AS created_by_user_id FROM org_members LIMIT 1',
    );
    if (owner === undefined) throw new Error('The service made no owner.');
    const { id } = await storeConversation(db, { ...owner, title: 'Long' });
    await storeLongConversation(db, id, EVENTS);
    await storeManyConversations(db, owner, CONVERSATIONS);
    return {
      home: HOME,
      list: {
        path: '/conversations',
        usable: (page) => page.getByText(`Conversation ${CONVERSATIONS}`, { exact: true }).first(),
      },
      conversation: {
        path: `/conversations/${id}`,
        usable: (page) => page.getByText(`Answer ${EVENTS}`, { exact: true }),
      },
    };
  } finally {
    await db.destroy();
  }
}

/** Asks for every file, several at once. */
async function fetchAll(url: string): Promise<number> {
  const waiting = readdirSync(join(REAL_INTERFACE, 'files', 'assets')).filter((name) =>
    /(js|css)$/.test(name),
  );
  const began = performance.now();
  const count = waiting.length;
  const work = async (): Promise<void> => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
      await (await fetch(`${url}/assets/${name}`)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return Math.round((count / (performance.now() - began)) * 1000);
}

/** Signs in, on a page of its own. @returns from then until the page that follows can be used */
async function signInMs(context: BrowserContext, url: string, key: string): Promise<number> {
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  const began = performance.now();
  await signIn(page, key);
  await HOME.usable(page).waitFor();
  const ms = Math.round(performance.now() - began);
  await page.close();
  await context.clearCookies();
  return ms;
}

async function signIns(browser: Browser, url: string, key: string): Promise<Record<string, number[]>> {
  const [cold, warm]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext();
    cold.push(await signInMs(context, url, key));
    warm.push(await signInMs(context, url, key));
    await context.close();
  }
  return { cold, warm };
}

async function main(): Promise<void> {
  await startTestServer();
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-interface-'));
  const [port, key] = [await freePort(), newKey()];
  const url = `http://127.0.0.1:${port}`;
  const service = spawn(process.execPath, [join(ROOT, 'dist', 'main.js')], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      BOOTSTRAP_KEY: key,
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      LOG_LEVEL: 'warn',
      APP_ROLE: 'api',
    },
    stdio: 'inherit',
  });
  const browser = await startBrowser();
  try {
    await started(url);
    await sleep(SETTLE_MS);
    const atRestMiB = memoryMiB(service);
    const pages: Record<string, Record<string, Visit[]>> = {};
    const signInToUsableMs = await signIns(browser, url, key);
    for (const [name, place] of Object.entries(await makePlaces(database.url)))
      pages[name] = await visits(browser, { url, key }, place, ROUNDS);
    const afterVisitsMiB = memoryMiB(service);
    const filesPerSecond = [];
    for (let round = 0; round < ROUNDS; round++) filesPerSecond.push(await fetchAll(url));
    report('web-interface', {
      signInToUsableMs,
      pages,
      filesPerSecond,
      memory: { atRestMiB, afterVisitsMiB, afterAllFilesMiB: memoryMiB(service) },
    });
  } finally {
    await browser.close();
    service.kill('SIGTERM');
    await new Promise((resolve) => service.once('exit', resolve));
    await database.drop();
    await stopTestServer();
    await rm(dataDir, { recursive: true });
  }
}

void main();
