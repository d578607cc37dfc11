import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../kernel/config';

/** Below it are the console's pages. */
export const CONSOLE_PATH = '/console';

/** Where `npm run build` puts it: `index.html`, and what the page loads in `files`. */
const BUILT = join(__dirname, '..', '..', '..', 'console', 'dist');

/**
 * The folder of the console that is served.
 * @returns null where it is not built, and where people cannot sign in (`WEB_UI=off`)
 */
export function findConsole({ WEB_UI }: Settings): string | null {
  return WEB_UI === 'on' && existsSync(join(BUILT, 'index.html')) ? BUILT : null;
}
