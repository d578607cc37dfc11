import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import type { Entry } from 'tar-stream';
import { BackupError } from '../backup-error';
import { messageOf } from '../../../kernel/common';

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist, or its folder does not',
  EEXIST: 'exists already',
  EACCES: 'may not be read or written by this user',
  EROFS: 'is on a file system that is read-only',
  EISDIR: 'is a folder',
  ENOTDIR: 'is below something that is no folder',
  ENOSPC: 'does not fit: there is no space left on its disk',
  EDQUOT: 'does not fit: the quota of its disk is used up',
  EFBIG: 'does not fit: it would be larger than files may be here',
};

/** What is wrong with a file, in a sentence. */
export function describeProblem(file: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return `${file} ${SENTENCES[code] ?? `cannot be used: ${messageOf(error)}`}.`;
}

/**
 * Reads a backup, entry by entry. Nothing is handed on that was not written with the passphrase: each portion of 64 KiB
 * is proved to be the next one of the file, and the last to be the last.
 * @param task reads every entry to its end
 * @throws BackupError when the file cannot be opened, or was damaged, changed or cut short
 */
export async function readArchive<T>(
  path: string,
  passphrase: string,
  task: (entries: AsyncIterable<Entry>) => Promise<T>,
): Promise<T> {
  const file = resolve(path);
  const [{ extract }, { Decrypter }] = await Promise.all([import('tar-stream'), import('age-encryption')]);
  const source = await open(file).catch((error: unknown) => {
    throw new BackupError(describeProblem(file, error), { cause: error });
  });
  try {
    const decrypter = new Decrypter();
    decrypter.addPassphrase(passphrase);
    const bytes = source.createReadStream({ autoClose: false });
    const plain = await decrypter.decrypt(ReadableStream.from(bytes)).catch((error: unknown) => {
      throw new BackupError(
        `${file} cannot be opened: the passphrase is not the one it was made with, or it is no backup.`,
        { cause: error },
      );
    });
    let damage: unknown;
    const proved = async function* (): AsyncGenerator<Uint8Array> {
      try {
        yield* plain;
      } catch (error) {
        damage = error;
        throw error;
      }
    };
    const entries = extract();
    const reading = pipeline(proved, createGunzip(), entries);
    reading.catch(() => undefined); // whoever reads the entries gets it
    try {
      const result = await task(entries);
      await reading;
      return result;
    } catch (error) {
      entries.destroy();
      await reading.catch(() => undefined);
      if (damage === undefined) throw error;
      throw new BackupError(`${file} is damaged or was cut short, and cannot be restored.`, {
        cause: damage,
      });
    }
  } finally {
    await source.close();
  }
}
