/**
 * What the web interface costs: time to its first paint and until it can be used, requests and bytes, with nothing in
 * the browser's cache and with everything; memory of the service that serves it. Needs the built service
 * (`npm run build`), the interface (`npm run web:install`) and Chromium.
 *
 *   npm run bench -- web-interface [--rounds 3]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { newKey } from '../src/api-keys/keys/key-format';
import { startBrowser } from '../test/support/chromium';
import { createTestDatabase } from '../test/support/database/postgres';
import { freePort } from '../test/support/service/free-port';
import { startTestServer, stopTestServer } from '../test/support/service/test-server';
import { signInByForm } from '../test/support/web-interface/browser-cookie';
import { REAL_INTERFACE } from '../test/support/web-interface/real-interface';
import { options } from './options';
import { report } from './report';

const { rounds: ROUNDS } = options({ rounds: 3 });
const ROOT = join(__dirname, '..');
const AT_ONCE = 8;
/** Until then the page asks for all that it asks for at its start. */
const SETTLE_MS = 3_000;

interface Visit {
  readonly firstPaintMs: number;
  readonly usableMs: number;
  readonly requests: number;
  readonly kilobytes: number;
}

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

/** Opens the interface, and closes it again. */
async function visit(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage();
  const traffic = await trafficOf(page, url);
  const began = performance.now();
  await page.goto(url);
  await page.getByTestId('home-chat-launcher').waitFor();
  const usableMs = Math.round(performance.now() - began);
  const paint = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`;
  const firstPaintMs = Math.round(await page.evaluate<number>(paint));
  await sleep(SETTLE_MS);
  await page.close();
  return { firstPaintMs, usableMs, requests: traffic.requests, kilobytes: Math.round(traffic.bytes / 1024) };
}

async function trafficOf(page: Page, url: string): Promise<{ requests: number; bytes: number }> {
  const traffic = { requests: 0, bytes: 0 };
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const own = new Set<string>();
  network.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.url.startsWith(url) && response.fromDiskCache !== true) own.add(requestId);
  });
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!own.has(requestId)) return;
    traffic.requests += 1;
    traffic.bytes += encodedDataLength;
  });
  return traffic;
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

async function visits(browser: Browser, url: string, key: string): Promise<Record<string, Visit[]>> {
  const [cold, warm]: [Visit[], Visit[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext();
    const [name = '', value = ''] = (await signInByForm({ url }, key)).split('=');
    await context.addCookies([{ name, value, url }]);
    cold.push(await visit(context, url));
    warm.push(await visit(context, url));
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
      ...{ PORT: String(port), DATABASE_URL: database.url, DATA_DIR: dataDir, BOOTSTRAP_KEY: key },
      ...{ SECRET_KEY: 'a-secret-key-of-tests-0123456789', LOG_LEVEL: 'warn', APP_ROLE: 'api' },
    },
    stdio: 'inherit',
  });
  const browser = await startBrowser();
  try {
    await started(url);
    await sleep(SETTLE_MS);
    const atRestMiB = memoryMiB(service);
    const { cold, warm } = await visits(browser, url, key);
    const afterVisitsMiB = memoryMiB(service);
    const filesPerSecond = [];
    for (let round = 0; round < ROUNDS; round++) filesPerSecond.push(await fetchAll(url));
    report('web-interface', {
      ...{ cold, warm, filesPerSecond },
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
