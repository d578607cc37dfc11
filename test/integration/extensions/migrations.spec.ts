import { runCommand } from '../../../src/operations/cli/command-line';
import { ask } from '../../support/database/ask';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { ExtensionFiles } from '../../support/service/extension-files';
import { ServiceProcess } from '../../support/service/service-process';

const SECRET_KEY = 'a-secret-key-of-tests-0123456789';
const NOTES = `{ name: 'acme', migrations: [
  class Notes1764000000000 { up(runner) { return runner.query('CREATE TABLE acme_notes (id uuid)'); } },
] }`;
/** The second of its statements fails. */
const BROKEN = `{ name: 'acme', migrations: [
  class Broken1764000000000 {
    async up(runner) { await runner.query('CREATE TABLE acme_notes (id uuid)'); await runner.query('SELEC 1'); }
  },
] }`;
/** As above, without a transaction. */
const UNPROTECTED = BROKEN.replace('async up', 'transaction = false; async up');

describe('the migrations of an extension', () => {
  let files: ExtensionFiles;
  let database: TestDatabase;

  beforeAll(async () => {
    files = await ExtensionFiles.make();
  });
  afterEach(() => database.drop());
  afterAll(() => files.remove());

  const migrate = async (EXTENSIONS: string): Promise<string[]> => {
    const env = { DATABASE_URL: database.url, DATA_DIR: await files.dataDir(), SECRET_KEY, EXTENSIONS };
    const json = await runCommand(['migrate'], env);
    return (JSON.parse(json) as { migrations: string[] }).migrations;
  };

  it('run once, after those of the service, where two replicas begin at once', async () => {
    database = await createEmptyDatabase();
    const file = await files.add('notes.js', NOTES);
    const ran = await Promise.all([migrate(file), migrate(file)]);
    const [own = [], none] = ran.toSorted((one, other) => other.length - one.length);
    expect(own.at(-1)).toBe('Notes1764000000000');
    expect(own[0]).toMatch(/^Baseline/);
    expect(none).toEqual([]);
    expect(await ask(database.url, 'SELECT name FROM acme_migrations')).toEqual([
      { name: 'Notes1764000000000' },
    ]);
  });

  it('stop the start with a sentence when one fails, which leaves nothing behind', async () => {
    database = await createTestDatabase();
    const file = await files.add('broken.js', BROKEN);
    const own = { DATABASE_URL: database.url, DATA_DIR: await files.dataDir(), SECRET_KEY };
    const service = ServiceProcess.start({ ...own, EXTENSIONS: file });
    expect(await service.ended).toBe(1);
    expect(service.errors).toBe(
      'A migration of the extension acme failed, and was undone: syntax error at or near "SELEC". Mend it, or leave the extension out of EXTENSIONS.\n',
    );
    expect(await ask(database.url, `SELECT to_regclass('acme_notes') AS found`)).toEqual([{ found: null }]);
    expect(await ask(database.url, 'SELECT name FROM acme_migrations')).toEqual([]);
  });

  it('that the extension does not know are those of another version, which the start says', async () => {
    database = await createTestDatabase();
    await migrate(await files.add('newer.js', NOTES));
    const older = NOTES.replace('Notes1764000000000', 'Others1763000000000');
    await expect(migrate(await files.add('older.js', older))).rejects.toThrow(
      'The database belongs to another version of the extension acme, which has the migrations Notes1764000000000. Start that version, or restore the backup from before the upgrade.',
    );
    expect(await ask(database.url, 'SELECT name FROM acme_migrations')).toEqual([
      { name: 'Notes1764000000000' },
    ]);
  });

  it('say that what one without a transaction did may stay', async () => {
    database = await createTestDatabase();
    const file = await files.add('unprotected.js', UNPROTECTED);
    await expect(migrate(file)).rejects.toThrow(
      'A migration of the extension acme failed; what it did stays if it has transaction = false: syntax error at or near "SELEC".',
    );
    expect(await ask(database.url, `SELECT to_regclass('acme_notes')::text AS found`)).toEqual([
      { found: 'acme_notes' },
    ]);
  });
});
