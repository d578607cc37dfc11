import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../config';
import { DataDir } from '../../data-dir';
import { BackupError } from '../backup-error';

const STAGE = 'restore.unfinished';

/**
 * Files on their way into `DATA_DIR`, in a folder there, which a restore that was killed leaves for the next one to
 * remove: nothing else in `DATA_DIR` is ever replaced.
 */
export class StagedFiles {
  private constructor(
    private readonly dataDir: DataDir,
    readonly folder: string,
  ) {}

  /** @throws BackupError when `DATA_DIR` has something of what would be restored; StartError */
  static async open(settings: Settings): Promise<StagedFiles> {
    const dataDir = await DataDir.open(settings.DATA_DIR);
    const names = [...DataDir.KEPT, ...(settings.SECRET_KEY === undefined ? [DataDir.SECRET_KEY] : [])];
    for (const name of names)
      if (await exists(join(dataDir.path, name)))
        throw new BackupError(
          `DATA_DIR ${dataDir.path} has ${name} already. Restore into another folder, or move it away.`,
        );
    const folder = join(dataDir.path, STAGE);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    return new StagedFiles(dataDir, folder);
  }

  /** Has the installation keep the key for secrets in `DATA_DIR`. */
  keepSecretKey(key: string): Promise<void> {
    return this.dataDir.keepSecretKey(key);
  }

  /** Moves each file and folder to where it belongs in `DATA_DIR`; killed in between, some are there and some are not. */
  async moveIntoPlace(): Promise<void> {
    for (const name of await readdir(this.folder))
      await rename(join(this.folder, name), join(this.dataDir.path, name));
  }

  /** Removes what was not moved. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
