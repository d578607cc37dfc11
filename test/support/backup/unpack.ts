import { readArchive } from '../../../src/operations/backup/archive/archive-reader';
import { FileUnpacker } from '../../../src/operations/backup/files/file-unpacker';
import { PASSPHRASE } from './cli-process';

/** Unpacks the files of a backup, encrypted with the passphrase of the tests, into a folder. */
export async function unpack(backup: string, target: string): Promise<FileUnpacker> {
  const unpacker = new FileUnpacker(target);
  await readArchive(backup, PASSPHRASE, async (entries) => {
    for await (const entry of entries) {
      await unpacker.add(entry);
      entry.resume();
    }
    await unpacker.end();
  });
  return unpacker;
}
