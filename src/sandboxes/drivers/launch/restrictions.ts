import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { DriverError } from '../../record/sandbox-driver';

const run = promisify(execFile);

const CHECK_MS = 5_000;
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

/** A program that begins with `setpriv`, of util-linux and of BusyBox, gains no rights by running another one. */
const WITHOUT_NEW_RIGHTS = ['setpriv', '--no-new-privs'];

let answer: Promise<boolean> | undefined;

/** Whether programs can be kept from gaining rights on this system. */
export function canWithholdRights(): Promise<boolean> {
  const [program = '', ...args] = WITHOUT_NEW_RIGHTS;
  answer ??= run(program, [...args, 'true'], { timeout: CHECK_MS }).then(
    () => true,
    () => false,
  );
  return answer;
}

/**
 * A command that runs another one with limits on its open files and processes, and without a way to rights that its
 * user does not have (docs/sandboxes.md#isolation).
 * @param path where programs are looked for
 * @throws DriverError when there is no such program
 */
export async function restricted(command: readonly string[], path: string): Promise<string[]> {
  const [name = '', ...args] = command;
  const program = await programAt(name, path);
  const withholding = (await canWithholdRights()) ? WITHOUT_NEW_RIGHTS : [];
  return ['/bin/sh', '-c', LIMITS, 'sh', ...withholding, program, ...args];
}

/** Looked up here, because a wrapper would not say what is missing. */
async function programAt(name: string, path: string): Promise<string> {
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
