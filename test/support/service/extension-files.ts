import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with extensions as files, as somebody has built them. */
export class ExtensionFiles {
  private constructor(private readonly folder: string) {}

  static async make(): Promise<ExtensionFiles> {
    return new ExtensionFiles(await mkdtemp(join(tmpdir(), 'extensions-')));
  }

  /** @param exported JavaScript of the default export @returns the file's path */
  async add(name: string, exported: string): Promise<string> {
    const file = join(this.folder, name);
    await writeFile(file, `exports.default = ${exported};\n`);
    return file;
  }

  /** A new folder for a replica's `DATA_DIR`. */
  dataDir(): Promise<string> {
    return mkdtemp(join(this.folder, 'data-'));
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
