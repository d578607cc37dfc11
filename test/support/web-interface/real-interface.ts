import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { folderOfPackage, INTERFACE_CACHE, INTERFACE_PACKAGE } from '../../../src/appliance/web-interface';
import { describeInBrowser } from '../browser/chromium';
import { describeNeeding } from '../needs';

/** Where the real web interface is, once `npm run web:install` has fetched it. */
export const REAL_INTERFACE = join(INTERFACE_CACHE, folderOfPackage(INTERFACE_PACKAGE));

/** Like `describeInBrowser`, for tests that need the real web interface as well. */
export function describeWithInterface(name: string, tests: () => void): void {
  if (existsSync(REAL_INTERFACE) || process.env.CI !== undefined) describeInBrowser(name, tests);
  else describeNeeding(false, 'the web interface: npm run web:install', name, tests);
}
