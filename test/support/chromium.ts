import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PATHS = [
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
 * one; elsewhere they are skipped with a message that says what is missing.
 */
export function describeInBrowser(name: string, tests: () => void): void {
  if (browserPath !== undefined || process.env.CI !== undefined) {
    describe(name, tests);
    return;
  }
  process.stderr.write(`Skipped: ${name}. ${MISSING}\n`);
  describe.skip(name, tests);
}

/**
 * Starts the browser headless.
 * @param hosts names that lead to this machine
 */
export function startBrowser(hosts: readonly string[] = []): Promise<Browser> {
  if (browserPath === undefined) throw new Error(MISSING);
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(', ');
  const args = ['--no-sandbox', '--disable-gpu', ...(rules === '' ? [] : [`--host-resolver-rules=${rules}`])];
  return chromium.launch({ executablePath: browserPath, args });
}
