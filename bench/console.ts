/**
 * What the pages of the console cost, in an organization with many conversations: time to the first paint and until a page can be
 * used, requests and bytes, with nothing in the browser's cache and with everything; and the compressed scripts of the first page.
 * Needs the built service and Chromium, and a database that `bench:seed` has filled.
 *
 *   DATABASE_URL=postgres://… npm run bench -- console [--rounds 5]
 */
import { createDataSource } from '../src/kernel/database';
import { startBrowser } from '../test/support/browser/chromium';
import { options } from './options';
import { organizations } from './org-list-orgs';
import { Service } from './org-list-processes';
import { type Place, type Visit, visits } from './page-visits';
import { quantile } from './org-list-load';
import { report } from './report';

const { rounds: ROUNDS } = options({ rounds: 5 });

/** The pages whose content grows with the organization, and one that does not. */
const PAGES: Readonly<Record<string, Place['usable']>> = {
  overview: (page) => page.locator('#content table').first(),
  conversations: (page) => page.locator('#content tbody tr').first(),
  people: (page) => page.locator('#content tbody tr').first(),
  keys: (page) => page.locator('#content tbody tr').first(),
};

function summary(of: readonly Visit[]): Visit {
  const middle = (name: keyof Visit): number =>
    quantile(
      of.map((visit) => visit[name]),
      0.5,
    );
  return {
    firstPaintMs: middle('firstPaintMs'),
    usableMs: middle('usableMs'),
    requests: middle('requests'),
    kilobytes: middle('kilobytes'),
    scriptKilobytes: middle('scriptKilobytes'),
    heapMiB: middle('heapMiB'),
  };
}

async function main(databaseUrl: string): Promise<void> {
  const database = await createDataSource(databaseUrl).initialize();
  const service = await Service.start(databaseUrl);
  const browser = await startBrowser();
  try {
    const [org] = await organizations(database, [Number.MAX_SAFE_INTEGER]);
    if (org === undefined) throw new Error('There is no organization.');
    const url = `http://127.0.0.1:${service.port}`;
    const pages: Record<string, Record<string, Visit>> = {};
    for (const [name, usable] of Object.entries(PAGES)) {
      const path = `/console/${org.id}/${name}`;
      const { cold, warm } = await visits(browser, { url, key: org.key }, { path, usable }, ROUNDS);
      pages[name] = { cold: summary(cold), warm: summary(warm) };
    }
    report('console', { conversations: org.conversations, rounds: ROUNDS, pages });
  } finally {
    await browser.close();
    await service.stop();
    await database.destroy();
  }
}

const url = process.env.DATABASE_URL;
if (url === undefined) throw new Error('Set DATABASE_URL to a database that bench:seed has filled.');
void main(url);
