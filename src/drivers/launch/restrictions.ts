import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { DriverError } from '../../sandboxes/driver-port';

const MAX_OPEN_FILES = 4_096;
/** Of a mebibyte: shells count memory in these. */
const KIBIBYTES = 1_024;

/** The limits of the processes of a sandbox. */
export interface Restrictions {
  /** Files by which the first process enters its control groups, before it runs anything else. */
  readonly entries: readonly string[];
  /** Processes and threads of its user; null where that user has others. */
  readonly processes: number | null;
  /** Memory of each process, in MiB; null where its control group limits that of all. */
  readonly mebibytes: number | null;
}

/** A command that runs another one with limits (docs/sandboxes.md#isolation). */
export function restricted(
  command: readonly string[],
  { entries, processes, mebibytes }: Restrictions,
): string[] {
  // Shells differ in how they call the number of processes; where a limit is lower already, it stays.
  const tasks =
    processes === null ? [] : ['u', 'p'].map((flag) => `ulimit -${flag} ${processes} 2>/dev/null`);
  const script = [
    'until [ "$1" = -- ]; do echo 0 >"$1" || exit 1; shift; done; shift',
    `ulimit -n ${MAX_OPEN_FILES} 2>/dev/null`,
    ...(mebibytes === null ? [] : [`ulimit -d ${mebibytes * KIBIBYTES} 2>/dev/null`]),
    ...(tasks.length === 0 ? [] : [tasks.join(' || ')]),
    // Shells add these.
    'unset PWD OLDPWD SHLVL',
    'exec "$@"',
  ].join('; ');
  return ['/bin/sh', '-c', script, 'sh', ...entries, '--', ...command];
}

/**
 * The path of a program, looked up here because a wrapper would not report which one is missing.
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
