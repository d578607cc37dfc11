import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes a file, or a folder with all that is in it, whatever the permissions of folders are. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await openFolders(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function openFolders(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await openFolders(join(path, name));
}
