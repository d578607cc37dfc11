import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliProcess } from '../../support/backup/cli-process';
import { ask } from '../../support/database/ask';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/postgres';
import { FIRST_SECRET_KEY, firstReleaseDump } from '../../support/service/first-release';

describe('a backup of a database', () => {
  let folder: string;
  let made: TestDatabase[];
  beforeEach(async () => {
    made = [];
    folder = await mkdtemp(join(tmpdir(), 'backup-'));
  });
  afterEach(async () => {
    for (const database of made) await database.drop();
    await rm(folder, { recursive: true });
  });

  async function emptyDatabase(): Promise<TestDatabase> {
    const database = await createEmptyDatabase();
    made.push(database);
    return database;
  }

  async function ofFirstRelease(): Promise<TestDatabase> {
    const database = await emptyDatabase();
    await ask(database.url, await firstReleaseDump());
    return database;
  }

  const file = () => join(folder, 'backup.age');
  const envOf = ({ url }: TestDatabase, name: string) => ({
    DATABASE_URL: url,
    SECRET_KEY: FIRST_SECRET_KEY,
    DATA_DIR: join(folder, name),
  });

  const countOf = async ({ url }: TestDatabase, table: string): Promise<unknown> =>
    ask(url, `SELECT count(*)::int AS rows FROM ${table}`);

  it('of the first release leaves it as it is, and is restored with the schema of this build', async () => {
    const old = await ofFirstRelease();
    const migrations = await countOf(old, 'schema_migrations');
    await mkdir(join(folder, 'old'));
    await CliProcess.run(['backup', '--to', file()], envOf(old, 'old'));
    expect(await countOf(old, 'schema_migrations')).toEqual(migrations);

    const fresh = await emptyDatabase();
    const restored = await CliProcess.run(['restore', '--from', file()], envOf(fresh, 'new'));
    expect(restored.migrations).toContain('Webhooks20261122140000');
    for (const table of ['conversations', 'events', 'users', 'invitations', 'graphile_worker._private_jobs'])
      expect(await countOf(fresh, table)).toEqual(await countOf(old, table));
  });
});
