import { readdir, stat } from 'node:fs/promises';
import { signal } from '../../common';
import { DriverError } from './sandbox-driver';

/** Users without a name that systems keep for services made on demand. */
const FIRST_UID = 61_184;
const LAST_UID = 65_519;

/** Whether each sandbox can get a user of its own. */
export function canHaveUsers(): boolean {
  return process.getuid?.() === 0;
}

/**
 * A user for one sandbox, unknown to the system and to the other sandboxes.
 * @param taken users of other sandboxes
 * @throws DriverError
 */
export function newUser(taken: ReadonlySet<number>): number {
  for (let uid = FIRST_UID; uid <= LAST_UID; uid++) if (!taken.has(uid)) return uid;
  throw new DriverError('The host has no free user for another sandbox.');
}

/** Ends every process of a sandbox's user, whatever session or group it fled to. Linux only. */
export async function endProcessesOf(uid: number): Promise<void> {
  if (process.platform !== 'linux') return;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const owner = await stat(`/proc/${name}`).catch(() => null);
    if (owner?.uid === uid) signal(Number(name), 'SIGKILL');
  }
}

/** The first folder on the way to `path` that users without rights of their own cannot enter, or null. */
export async function closedFolder(path: string): Promise<string | null> {
  const parts = path.split('/').filter((part) => part !== '');
  for (let depth = 0; depth <= parts.length; depth++) {
    const folder = `/${parts.slice(0, depth).join('/')}`;
    const { mode } = await stat(folder);
    if ((mode & 0o1) === 0) return folder;
  }
  return null;
}
