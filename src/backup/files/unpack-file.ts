import { createWriteStream } from 'node:fs';
import { chmod, lchown, mkdir, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Entry } from 'tar-stream';
import { FILES } from '../archive/format';
import { BackupError } from '../backup-error';

/**
 * Makes a file, a folder or a symbolic link of a backup; owners are kept where this process may set them.
 * @param folder that the names are relative to; nothing that exists there is changed or followed
 * @returns whether it was a file
 */
export async function unpackFile(folder: string, entry: Entry): Promise<boolean> {
  const { name, type, linkname, mode = 0o600, uid = 0, gid = 0, mtime } = entry.header;
  const path = join(folder, pathOf(name));
  if (type === 'directory') await mkdir(path, { mode: 0o700 });
  else if (type === 'symlink') await symlink(linkname ?? '', path);
  else await pipeline(entry, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  if (process.getuid?.() === 0) await lchown(path, uid, gid);
  if (type === 'symlink') return false;
  await chmod(path, mode);
  if (type === 'directory') return false;
  if (mtime !== undefined) await utimes(path, mtime, mtime);
  return true;
}

/** @throws BackupError for a name that leads out of the folder */
function pathOf(name: string): string {
  const path = name.slice(FILES.length).replace(/\/$/, '');
  if (path.split('/').some((part) => ['', '.', '..'].includes(part)))
    throw new BackupError('The backup has a file outside of DATA_DIR, and cannot be restored.');
  return path;
}
