import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliProcess, runHere } from '../../support/backup/cli-process';
import { ask } from '../../support/database/ask';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/postgres';
import { ExtensionFiles } from '../../support/service/extension-files';

const SECRET_KEY = 'a-secret-key-of-tests-0123456789';

const NOTES = `class Notes1764000000000 {
  up(runner) {
    return runner.query(\`CREATE TABLE acme_notes (
      id serial PRIMARY KEY, org_id uuid NOT NULL REFERENCES organizations (id), text text NOT NULL)\`);
  }
}`;
/** Only the rows that there are when it runs are new to it. */
const LENGTHS = `class Lengths1764000000001 {
  async up(runner) {
    await runner.query('ALTER TABLE acme_notes ADD length int');
    await runner.query('UPDATE acme_notes SET length = char_length(text)');
  }
}`;
const acme = (...migrations: string[]): string => `{ name: 'acme', migrations: [${migrations.join(', ')}] }`;

describe('a backup of an installation with an extension', () => {
  const databases: TestDatabase[] = [];
  let files: ExtensionFiles;
  let file: string;
  let notes: Awaited<ReturnType<typeof ask>>;

  beforeAll(async () => {
    files = await ExtensionFiles.make();
    const DATA_DIR = await files.dataDir();
    file = join(await files.dataDir(), 'backup.age');
    const EXTENSIONS = await files.add('acme-1.js', acme(NOTES));
    const source = await createEmptyDatabase();
    const env = { DATABASE_URL: source.url, DATA_DIR, SECRET_KEY, EXTENSIONS };
    await CliProcess.run(['org:create', '--name', 'Ours', '--owner-email', 'owner@example.com'], env);
    notes = await ask(
      source.url,
      `INSERT INTO acme_notes (org_id, text)
       SELECT id, repeat('x', n) FROM organizations, generate_series(1, 3) AS n RETURNING *`,
    );
    await runHere(['backup', '--to', file], env);
    await source.drop();
    await rm(DATA_DIR, { recursive: true });
  });
  afterAll(async () => {
    for (const database of databases) await database.drop();
    await files.remove();
  });

  /** The settings of a new installation. */
  async function target(more: Readonly<Record<string, string>> = {}) {
    const database = await createEmptyDatabase();
    databases.push(database);
    return { DATABASE_URL: database.url, DATA_DIR: await files.dataDir(), SECRET_KEY, ...more };
  }

  const RESTORE = (): string[] => ['restore', '--from', file];

  it('is restored whole, and brought to the schema of the extension as it is now', async () => {
    const env = await target({ EXTENSIONS: await files.add('acme-2.js', acme(NOTES, LENGTHS)) });
    expect(await CliProcess.run(RESTORE(), env)).toMatchObject({ migrations: ['Lengths1764000000001'] });
    expect(notes).toHaveLength(3);
    expect(await ask(env.DATABASE_URL, 'SELECT * FROM acme_notes ORDER BY id')).toEqual(
      notes.map((note) => ({ ...note, length: note.id })),
    );
    expect(await ask(env.DATABASE_URL, 'SELECT name FROM acme_migrations ORDER BY id')).toEqual([
      { name: 'Notes1764000000000' },
      { name: 'Lengths1764000000001' },
    ]);
    expect(await runHere(['migrate'], env)).toEqual({ migrations: [] });
    const added = `INSERT INTO acme_notes (org_id, text) SELECT id, 'new' FROM organizations RETURNING id`;
    expect(await ask(env.DATABASE_URL, added)).toEqual([{ id: 4 }]);
    const stray = `INSERT INTO acme_notes (org_id, text) VALUES (gen_random_uuid(), 'stray')`;
    await expect(ask(env.DATABASE_URL, stray)).rejects.toThrow(/foreign key/);
  });

  it('is refused without the extension, and restored without its tables where they are named', async () => {
    const env = await target();
    await expect(runHere(RESTORE(), env)).rejects.toThrow(
      'No migration of this build makes acme_migrations, acme_notes, which the backup has. Name the extensions that make them in EXTENSIONS, or leave them out with --without acme_migrations,acme_notes.',
    );
    await runHere([...RESTORE(), '--without', 'acme_migrations,acme_notes'], env);
    expect(await ask(env.DATABASE_URL, 'SELECT name FROM organizations')).toEqual([{ name: 'Ours' }]);
  });

  it('is refused with an older build of the extension', async () => {
    const env = await target({ EXTENSIONS: await files.add('acme-0.js', acme(LENGTHS)) });
    await expect(runHere(RESTORE(), env)).rejects.toThrow(
      'The backup is of a newer build of the extension acme: the one in EXTENSIONS does not have its migration Notes1764000000000. Name a build that has it.',
    );
  });
});
