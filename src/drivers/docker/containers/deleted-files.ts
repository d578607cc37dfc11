import { readdir, readFile, stat } from 'node:fs/promises';
import { PATHS } from './container';

/** Whoever has more files open than these in one look is not looked at further: each takes a call of the system. */
const MAX_FILES = 20_000;
const BLOCK_BYTES = 512;

/**
 * How much of the volumes of containers on this host is in files that were deleted while programs have them open. Of what a
 * program holds otherwise, as in its memory or on its way to another one, nothing is known.
 * @param users those of the containers
 */
export async function deletedFileBytes(users: ReadonlySet<number>): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, { seen: number; readonly files: Map<number, number> }>();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const uid = await userOf(pid);
    if (uid === null || !users.has(uid)) continue;
    const of = found.get(uid) ?? { seen: 0, files: new Map<number, number>() };
    found.set(uid, of);
    if (of.seen >= MAX_FILES) continue;
    of.seen += await collect(pid, of.files);
  }
  return new Map(
    [...found].map(([uid, { files }]) => [uid, [...files.values()].reduce((sum, bytes) => sum + bytes, 0)]),
  );
}

/** The real user of a process; null when it ended. */
async function userOf(pid: string): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const uid = /^Uid:\t(\d+)/m.exec(status)?.[1];
  return uid === undefined ? null : Number(uid);
}

/** Adds the deleted files of the volume that a process has open, by their numbers. @returns how many files were looked at */
async function collect(pid: string, files: Map<number, number>): Promise<number> {
  const volume = await stat(`/proc/${pid}/root${PATHS.volume}`).catch(() => null);
  const names = (await readdir(`/proc/${pid}/fd`).catch(() => [])).slice(0, MAX_FILES);
  for (const name of names) {
    const file = await stat(`/proc/${pid}/fd/${name}`).catch(() => null);
    if (file !== null && file.nlink === 0 && file.isFile() && file.dev === volume?.dev)
      files.set(file.ino, file.blocks * BLOCK_BYTES);
  }
  return names.length;
}
