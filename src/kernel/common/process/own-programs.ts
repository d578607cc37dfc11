import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { shellWord } from '../text/text';

/** How programs of this installation are run by a shell in the folder where this process was started. */
export interface OwnPrograms {
  /** The words before a command of operators. */
  readonly cli: string;
  /** Whether all scripts of `package.json` can be run: in a clone of the repository only. */
  readonly hasScripts: boolean;
}

/** The folder of the running program: `dist`, or `src`. */
const PROGRAMS = join(__dirname, '..', '..', '..');

/**
 * In a clone they are scripts of npm, as a package the program that npm links, and elsewhere, as in the image, files.
 * @param cwd where the shell is
 * @param programs the folder of the program
 */
export function ownPrograms(cwd = process.cwd(), programs = PROGRAMS): OwnPrograms {
  const root = dirname(programs);
  if (isClone(cwd, root)) return { cli: 'npm run --silent cli --', hasScripts: true };
  if (basename(dirname(root)) === 'node_modules')
    return { cli: 'npx org-conversation-service cli', hasScripts: false };
  const file = join(programs, 'cli.js');
  const near = relative(cwd, file);
  const path = near.startsWith('..') || isAbsolute(near) ? file : near;
  return { cli: `node ${shellWord(path)}`, hasScripts: false };
}

/** Whether npm finds the program's own scripts in the folder. */
function isClone(cwd: string, root: string): boolean {
  const packages = [cwd, root].map((folder) => join(folder, 'package.json'));
  if (![...packages, join(cwd, 'scripts', 'cli.mjs')].every((file) => existsSync(file))) return false;
  const [here, own] = packages.map((file) => realpathSync(file));
  return here === own;
}
