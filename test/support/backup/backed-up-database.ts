import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '../database/ask';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../database/postgres';
import { runHere } from './cli-process';

const SECRET_KEY = 'a-secret-key-of-tests-0123456789';

/** A database with organizations, a backup of it, and empty databases to restore it into. */
export class BackedUpDatabase {
  private readonly made: TestDatabase[] = [];

  private constructor(
    private readonly folder: string,
    readonly source: TestDatabase,
    /** The file of the backup. */
    readonly file: string,
  ) {
    this.made.push(source);
  }

  /** @param organizations how many there are, of about 150 bytes each */
  static async make(organizations: number): Promise<BackedUpDatabase> {
    const folder = await mkdtemp(join(tmpdir(), 'backed-up-'));
    const source = await createTestDatabase();
    const backedUp = new BackedUpDatabase(folder, source, join(folder, 'backup.age'));
    await runHere(['migrate'], backedUp.env(source, 'source')); // which keeps the check value of the key
    await ask(
      source.url,
      `INSERT INTO organizations (id, name)
       SELECT gen_random_uuid(), md5(n::text) || md5((-n)::text) || md5((2 * n)::text)
         FROM generate_series(1, ${organizations}) AS n`,
    );
    await runHere(['backup', '--to', backedUp.file], backedUp.env(source, 'source'));
    return backedUp;
  }

  async emptyDatabase(): Promise<TestDatabase> {
    const database = await createEmptyDatabase();
    this.made.push(database);
    return database;
  }

  /** The settings of an installation. @param dataDir name of its folder */
  env({ url }: TestDatabase, dataDir: string): Record<string, string> {
    return { DATABASE_URL: url, SECRET_KEY, DATA_DIR: this.path(dataDir) };
  }

  /** A path in the folder of this test. */
  path(name: string): string {
    return join(this.folder, name);
  }

  /** The names of files beside the backup. */
  async files(): Promise<string[]> {
    return (await readdir(this.folder, { withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  }

  async remove(): Promise<void> {
    for (const database of this.made) await database.drop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** How many organizations a database has. */
export async function organizationsIn({ url }: TestDatabase): Promise<unknown> {
  const [row] = await ask(url, 'SELECT count(*)::int AS n FROM organizations');
  return row?.n;
}
