import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const MISSING =
  'There is no browser here: install chromium (apt-get install chromium), or name one in CHROMIUM.';

/** The browser of this machine, or undefined when there is none. */
const browserPath: string | undefined = [process.env.CHROMIUM ?? '', ...PATHS].find(
  (path) => path !== '' && existsSync(path),
);

/**
 * Like `describe`, for tests that need a browser. Where there is none they fail in continuous integration,
 * which installs one; elsewhere they are skipped, and say what they miss.
 */
export function describeInBrowser(name: string, tests: () => void): void {
  if (browserPath !== undefined || process.env.CI !== undefined) {
    describe(name, tests);
    return;
  }
  process.stderr.write(`Skipped: ${name}. ${MISSING}\n`);
  describe.skip(name, tests);
}

/** Starts it without a window. */
export function startBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error(MISSING);
  return chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] });
}
