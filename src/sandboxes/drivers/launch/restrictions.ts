import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { DriverError } from '../../record/sandbox-driver';

const MAX_OPEN_FILES = 4_096;
/** Processes and threads. */
const MAX_TASKS = 4_096;

/** Shells differ in how they call the number of processes; where a limit is lower already, it stays. */
const LIMITS = [
  `ulimit -n ${MAX_OPEN_FILES} 2>/dev/null`,
  `ulimit -u ${MAX_TASKS} 2>/dev/null || ulimit -p ${MAX_TASKS} 2>/dev/null`,
  // Shells add these.
  'unset PWD OLDPWD SHLVL',
  'exec "$@"',
].join('; ');

/** A command that runs another one with limits on its open files and processes (docs/sandboxes.md#isolation). */
export function restricted(command: readonly string[]): string[] {
  return ['/bin/sh', '-c', LIMITS, 'sh', ...command];
}

/**
 * A program's file, looked up here because a wrapper would not say what is missing.
 * @param path where programs are looked for
 * @throws DriverError when there is no such program
 */
export async function programAt(name: string, path: string): Promise<string> {
  const folders = name.includes('/') ? [''] : path.split(delimiter);
  for (const folder of folders) {
    const file = join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  throw new DriverError('The agent server could not be started (ENOENT).');
}
