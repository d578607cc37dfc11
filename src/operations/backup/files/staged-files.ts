import { lstat, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../../../kernel/common';
import type { Settings } from '../../../kernel/config';
import { DataDir } from '../../../data-dir';
import { BackupError } from '../backup-error';

const STAGE = 'restore.unfinished';

/**
 * Files on their way into `DATA_DIR`, in a folder there, which a restore that was killed leaves for the next one to
 * remove. Of what else is in `DATA_DIR` only that is ever replaced which an earlier run of the same restore put there.
 */
export class StagedFiles {
  private constructor(
    private readonly dataDir: DataDir,
    readonly folder: string,
    /** Existing files that the restore would overwrite. */
    private readonly present: readonly string[],
    /** The restore that put it there. */
    private readonly earlier: string | null,
  ) {}

  /** @throws BackupError when `DATA_DIR` has something of what would be restored, of no restore; StartError */
  static async open(settings: Settings): Promise<StagedFiles> {
    const dataDir = await DataDir.open(settings.DATA_DIR);
    const names = [...DataDir.KEPT, ...(settings.SECRET_KEY === undefined ? [DataDir.SECRET_KEY] : [])];
    const present: string[] = [];
    for (const name of names) if (await exists(join(dataDir.path, name))) present.push(name);
    const mark = await lstat(join(dataDir.path, DataDir.RESTORED)).catch(() => null);
    if (mark?.isFile() === false)
      throw new BackupError(`DATA_DIR ${dataDir.path} has ${DataDir.RESTORED}, which is no file. Remove it.`);
    const earlier = await readFile(join(dataDir.path, DataDir.RESTORED), 'utf8').catch(() => null);
    const folder = join(dataDir.path, STAGE);
    const staged = new StagedFiles(dataDir, folder, present, earlier);
    if (earlier === null) staged.refusePresent();
    await removeTree(folder);
    await mkdir(folder, { mode: 0o700 });
    return staged;
  }

  /**
   * Removes what an earlier run has put into `DATA_DIR`.
   * @param restore the one that has begun in the database and not ended; null for none
   * @throws BackupError when what is there is not of that
   */
  async removePresent(restore: string | null): Promise<void> {
    if (this.earlier === null) return;
    if (this.earlier !== restore) this.refusePresent();
    for (const name of this.present) await removeTree(join(this.dataDir.path, name));
    await this.dataDir.forgetRestore();
  }

  /**
   * Moves each file and folder to where it belongs in `DATA_DIR`, for a restore that may still fail; killed in between, some
   * are there and some are not.
   * @param restore the one that has begun in the database
   * @param secretKey the key for secrets, where the installation keeps it in `DATA_DIR`
   */
  async moveIntoPlace(restore: string, secretKey: string | null): Promise<void> {
    await writeFile(join(this.dataDir.path, DataDir.RESTORED), restore, { flush: true });
    if (secretKey !== null) await this.dataDir.keepSecretKey(secretKey);
    for (const name of await readdir(this.folder))
      await rename(join(this.folder, name), join(this.dataDir.path, name));
  }

  /** Moved folders stay, since the database has their rows. */
  async settle(): Promise<void> {
    await this.dataDir.forgetRestore();
  }

  /** Removes what was not moved. */
  async remove(): Promise<void> {
    await removeTree(this.folder);
  }

  private refusePresent(): void {
    const [name] = this.present;
    if (name !== undefined)
      throw new BackupError(
        `DATA_DIR ${this.dataDir.path} has ${name} already. Restore into another folder, or move it away.`,
      );
  }
}

async function exists(path: string): Promise<boolean> {
  // Also true for a dangling link.
  return lstat(path).then(
    () => true,
    () => false,
  );
}
