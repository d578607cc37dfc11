import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine, or undefined when there is none. */
export const browserPath: string | undefined = [process.env.CHROMIUM ?? '', ...PATHS].find(
  (path) => path !== '' && existsSync(path),
);

/** Starts it without a window. */
export function startBrowser(): Promise<Browser> {
  if (browserPath === undefined)
    throw new Error(
      'There is no browser here: install chromium (apt-get install chromium), or name one in CHROMIUM.',
    );
  return chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] });
}
