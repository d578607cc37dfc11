import { chmod, lchown, lstat, mkdir, opendir, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../ids';

/** How many entries are read at once: a folder may have any number of them. */
const PORTION = 256;

/** The error codes of unlink for a folder. */
const IS_FOLDER = ['EISDIR', 'EPERM'];

/**
 * Removes a file, or a folder with all that is in it, whatever its permissions, names and depth are. Nothing happens where it
 * is not there; after an interruption the next call goes on.
 *
 * A process that still works in the folder leads this nowhere else. Each folder is moved into a closed one (`<path>.removed`)
 * before it is looked into, and closed as well: what was moved in there has no path of that process any more, and nothing in
 * it can be put in the place of something else.
 * @param path whose own folder belongs to this process, and can be changed by nobody else
 */
export async function removeTree(path: string): Promise<void> {
  const closed = `${path}.removed`;
  if (!(await isThere(path)) && !(await isThere(closed))) return;
  await mkdir(closed, { mode: 0o700 }).catch(ignoring('EEXIST'));
  await rename(path, join(closed, newId())).catch(ignoring('ENOENT'));
  await eachName(closed, async (name) => {
    const found = join(closed, name.toString());
    if ((await lstat(found)).isDirectory()) await removeMoved(found, closed);
    else await unlink(found);
  });
  await rmdir(closed);
}

/** @param folder in the closed one, to which the folders in it are moved in turn */
async function removeMoved(folder: string, closed: string): Promise<void> {
  if (process.getuid?.() === 0) await lchown(folder, 0, 0);
  await chmod(folder, 0o700);
  await eachName(folder, async (name) => {
    const found = Buffer.concat([Buffer.from(`${folder}/`), name]);
    await unlink(found).catch(async (error: unknown) => {
      if (!IS_FOLDER.includes(codeOf(error))) throw error;
      await moveAway(found, join(closed, newId()));
    });
  });
  await rmdir(folder);
}

/** A folder that its user may not write to does not move, unless that is root. */
async function moveAway(folder: Buffer, to: string): Promise<void> {
  await rename(folder, to).catch(async (error: unknown) => {
    if (codeOf(error) !== 'EACCES') throw error;
    await chmod(folder, 0o700);
    await rename(folder, to);
  });
}

/** Calls for each entry, which is gone afterwards; until there is none, as some systems skip entries meanwhile. */
async function eachName(folder: string, remove: (name: Buffer) => Promise<void>): Promise<void> {
  for (let isEmpty = false; !isEmpty;) {
    isEmpty = true;
    // In this encoding each byte is a character: names need not be UTF-8.
    for await (const { name } of await opendir(folder, { encoding: 'latin1', bufferSize: PORTION })) {
      isEmpty = false;
      await remove(Buffer.from(name, 'latin1'));
    }
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return false;
      throw error;
    },
  );
}

function ignoring(code: string): (error: unknown) => void {
  return (error) => {
    if (codeOf(error) !== code) throw error;
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
