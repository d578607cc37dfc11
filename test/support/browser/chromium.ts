import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { describeNeeding } from '../needs';
import { LoopbackProxy } from './loopback-proxy';

const IN_OWN_NETWORK = join(__dirname, 'in-own-network.mjs');

/** A machine may be busy. */
const LAUNCH_MS = 120_000;

/** The first takes a quarter less of the processor for the same pages. */
const PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const MISSING =
  'No browser was found: install chromium (apt-get install chromium), or set CHROMIUM to the path of one.';

/** The path of this machine's browser, or undefined if there is none. */
const browserPath: string | undefined = [process.env.CHROMIUM ?? '', ...PATHS].find(
  (path) => path !== '' && existsSync(path),
);

/**
 * Like `describe`, for tests that need a browser. Without one they fail in continuous integration, which installs
 * one; elsewhere they are skipped.
 */
export function describeInBrowser(name: string, tests: () => void): void {
  const isThere = browserPath !== undefined || process.env.CI !== undefined;
  describeNeeding(isThere, 'a browser: apt-get install chromium, or CHROMIUM', name, tests);
}

/**
 * Starts the browser headless. It drops its connections whenever an interface of its network comes or goes, so beside
 * tests of container engines and clusters it runs in a network of its own.
 * @param hosts names that lead to this machine
 */
export async function startBrowser(hosts: readonly string[] = []): Promise<Browser> {
  if (browserPath === undefined) throw new Error(MISSING);
  const args = ['--no-sandbox', '--disable-gpu'];
  if (process.env.CONTAINER_KIT === undefined && process.env.KUBERNETES_KIT === undefined) {
    const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(', ');
    return chromium.launch({
      executablePath: browserPath,
      timeout: LAUNCH_MS,
      args: [...args, ...(rules === '' ? [] : [`--host-resolver-rules=${rules}`])],
    });
  }
  const proxy = await LoopbackProxy.open(hosts);
  try {
    const browser = await chromium.launch({
      ...{
        executablePath: IN_OWN_NETWORK,
        timeout: LAUNCH_MS,
        args,
        proxy: { server: 'socks5://127.0.0.1:1080' },
      },
      env: { ...process.env, CHROMIUM: browserPath, PROXY_SOCKET: proxy.path },
    });
    return browser.on('disconnected', () => proxy.close());
  } catch (error) {
    proxy.close();
    throw error;
  }
}
