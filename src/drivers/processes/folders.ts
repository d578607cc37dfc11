import { chown, lstat, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeTree } from '../../kernel/common';
import { isFolder } from '../launch/file-view';
import { giveTo } from '../sandbox-users';

/** Where the conversations of a sandbox work, in its folder. */
export function workIn(home: string): string {
  return join(home, 'workspace', 'project');
}

/**
 * The folder of a sandbox, made whole before it has its name. One that exists is the sandbox's own: what it put there
 * (a link, for example) must not lead this process anywhere.
 * @param uid its owner; null for the user of this process
 */
export async function openHome(home: string, uid: number | null): Promise<void> {
  const existing = await lstat(home).catch(() => null);
  if (existing !== null) {
    if (uid !== null && existing.uid !== uid) await giveTo(uid, home);
    return;
  }
  const draft = `${home}.new`;
  await removeTree(draft);
  await mkdir(workIn(draft), { recursive: true, mode: 0o700 });
  // From the inside out, so that nobody else reaches a folder before it has its owner.
  if (uid !== null)
    for (const folder of [workIn(draft), dirname(workIn(draft)), draft]) await chown(folder, uid, uid);
  await rename(draft, home);
}

/** What is `/tmp` in a sandbox, in its folder. None of its processes is at work. @param uid as of {@link openHome} */
export async function openTemporary(home: string, uid: number | null): Promise<void> {
  const folder = join(home, '.tmp');
  if (isFolder(folder)) return;
  await rm(folder, { force: true });
  await mkdir(folder, { mode: 0o700 });
  if (uid !== null) await chown(folder, uid, uid);
}
