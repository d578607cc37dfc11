/** What opening a page of the service costs, in a browser. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { signInByForm } from '../test/support/web-interface/browser-cookie';

/** Until then a page asks for all that it asks for at its start. */
export const SETTLE_MS = 3_000;

/** One opening of a page. */
export interface Visit {
  readonly firstPaintMs: number;
  readonly usableMs: number;
  readonly requests: number;
  readonly kilobytes: number;
  /** Of these, scripts. */
  readonly scriptKilobytes: number;
  /** What the page's scripts keep. */
  readonly heapMiB: number;
}

/** A page, and what is on it as soon as it can be used. */
export interface Place {
  readonly path: string;
  readonly usable: (page: Page) => Locator;
}

/** Opens a page, and closes it again. */
async function visit(context: BrowserContext, url: string, { path, usable }: Place): Promise<Visit> {
  const page = await context.newPage();
  const traffic = await trafficOf(page, url);
  const began = performance.now();
  await page.goto(url + path);
  await usable(page).waitFor();
  const usableMs = Math.round(performance.now() - began);
  const paint = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`;
  const firstPaintMs = Math.round(await page.evaluate<number>(paint));
  await sleep(SETTLE_MS);
  const heap = await page.evaluate<number>('performance.memory.usedJSHeapSize');
  await page.close();
  return {
    firstPaintMs,
    usableMs,
    requests: traffic.requests,
    kilobytes: Math.round(traffic.bytes / 1024),
    scriptKilobytes: Math.round(traffic.scriptBytes / 1024),
    heapMiB: mebibytes(heap),
  };
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

interface Traffic {
  requests: number;
  bytes: number;
  scriptBytes: number;
}

async function trafficOf(page: Page, url: string): Promise<Traffic> {
  const traffic = { requests: 0, bytes: 0, scriptBytes: 0 };
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const own = new Map<string, string>();
  network.on('Network.responseReceived', ({ requestId, response, type }) => {
    if (response.url.startsWith(url) && response.fromDiskCache !== true) own.set(requestId, type);
  });
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!own.has(requestId)) return;
    traffic.requests += 1;
    traffic.bytes += encodedDataLength;
    if (own.get(requestId) === 'Script') traffic.scriptBytes += encodedDataLength;
  });
  return traffic;
}

/** Visits with nothing in the browser's cache, and with everything. @param key who signs in @param rounds of each */
export async function visits(
  browser: Browser,
  { url, key }: { readonly url: string; readonly key: string },
  place: Place,
  rounds: number,
): Promise<Record<'cold' | 'warm', Visit[]>> {
  const [cold, warm]: [Visit[], Visit[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext();
    const [name = '', value = ''] = (await signInByForm({ url }, key)).split('=');
    await context.addCookies([{ name, value, url }]);
    cold.push(await visit(context, url, place));
    warm.push(await visit(context, url, place));
    await context.close();
  }
  return { cold, warm };
}
