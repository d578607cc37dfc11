import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { NodeScript } from '../../../src/kernel/common';

/** The root of the repository. */
export const ROOT = join(__dirname, '..', '..', '..');

/** The variable by which jest's workers find what was compiled. */
const FOLDER_VARIABLE = 'TEST_COMPILED_SOURCES';

const SOURCES = ['src', 'test'];

/** By this variable processes of Node know where they keep what V8 compiles, from 22.1 on. */
const CACHE_VARIABLE = 'NODE_COMPILE_CACHE';

/** By this variable test runs on the same sources share a folder, so that only the first compiles them, also for V8. */
const SHARED_VARIABLE = 'SHARED_BY_TEST_RUNS';

/** What compiled sources look for beside them. */
const BESIDE = ['package.json', 'node_modules', '.cache', 'console'];

/**
 * Compiles `src` and `test`, once for a test run, so that a process that a test starts begins as quickly as one of
 * a release. Without it each would compile what it loads, and a sandbox, whose user has no cache, all of it.
 */
export async function compileSources(): Promise<void> {
  const shared = process.env[SHARED_VARIABLE];
  const parent = shared ?? tmpdir();
  // Not among the sources, which some tests copy.
  process.env[CACHE_VARIABLE] = join(parent, 'compile-cache');
  const known = shared === undefined ? undefined : join(shared, 'compiled');
  if (known !== undefined && existsSync(known)) {
    process.env[FOLDER_VARIABLE] = known;
    return;
  }
  const folder = await compileInto(parent);
  // Under this name it is whole; a run that began at the same time may have been first.
  if (known !== undefined)
    await rename(folder, known).catch(() => rm(folder, { recursive: true, force: true }));
  process.env[FOLDER_VARIABLE] = known ?? folder;
}

/** @returns the folder of all that was compiled, a new one */
async function compileInto(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, 'conversation-service-compiled-'));
  // Sandboxes run as users of their own when the tests run as root.
  await chmod(folder, 0o755);
  for (const name of BESIDE) await symlink(join(ROOT, name), join(folder, name));
  const options = ['--out-dir', folder, '--config-file', '.swcrc', '--source-maps', 'false', '--quiet'];
  const swc = join(ROOT, 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
  await promisify(execFile)(process.execPath, [swc, ...SOURCES, ...options], { cwd: ROOT });
  // What is no TypeScript is there as a release has it.
  const filter = (path: string): boolean => ['', '.py', '.sql'].includes(extname(path));
  await cp(join(ROOT, 'src'), join(folder, 'src'), { recursive: true, filter });
  return folder;
}

/** Removes what {@link compileSources} made for this run alone; safe to call if it made nothing. */
export async function removeCompiledSources(): Promise<void> {
  const folder = process.env[FOLDER_VARIABLE];
  const isShared = process.env[SHARED_VARIABLE] !== undefined;
  if (folder !== undefined && !isShared) await rm(folder, { recursive: true, force: true });
}

/**
 * What a process of Node gets of the environment of the tests: where programs are, and what V8 has compiled for others of
 * the run that have ended, without which half of what a start takes is spent on compiling.
 */
export function environmentOfNode(): Readonly<Record<string, string | undefined>> {
  return { PATH: process.env.PATH, [CACHE_VARIABLE]: process.env[CACHE_VARIABLE] };
}

/** The folder of compiled sources of a test run. @param part `src` or `test` */
export function compiledSources(part: string): string {
  const folder = process.env[FOLDER_VARIABLE];
  if (folder === undefined) throw new Error('There are compiled sources in a run of the tests only.');
  return join(folder, part);
}

/**
 * How a process or a thread runs a source file: as {@link compileSources} compiled it, or, outside of a test run,
 * with a hook that compiles it.
 * @param source its path, without its extension
 */
export function scriptOf(source: string): NodeScript {
  const folder = process.env[FOLDER_VARIABLE];
  if (folder !== undefined) return { path: join(folder, `${relative(ROOT, source)}.js`), execArgv: [] };
  const register = createRequire(__filename).resolve('@swc-node/register');
  return { path: `${source}.ts`, execArgv: ['-r', register] };
}
