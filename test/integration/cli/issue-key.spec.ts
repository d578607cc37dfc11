import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/kernel/database';
import { runCommand } from '../../../src/operations/cli/command-line';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { makeMember, makeOrg, type TestUser } from '../../support/service/factories';

describe('key:issue', () => {
  let database: TestDatabase;
  let db: DataSource;
  let dataDir: string;
  let user: TestUser;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'issue-key-'));
    database = await createTestDatabase();
    db = await createDataSource(database.url, 2).initialize();
    user = await makeMember(db, (await makeOrg(db)).id, 'owner');
  });
  afterAll(async () => {
    await db.destroy();
    await database.drop();
    await rm(dataDir, { recursive: true });
  });

  const issue = async (...options: string[]): Promise<{ id: number; key: string }> =>
    JSON.parse(
      await runCommand(['key:issue', '--email', user.email, ...options], {
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      }),
    ) as { id: number; key: string };

  it('limits a key to scopes, which are kept in the order of the table, and to addresses', async () => {
    const { id } = await issue(
      '--scopes',
      'manage_webhooks, use_conversations',
      '--addresses',
      '10.0.0.0/8,::1',
    );
    const [row] = await db.query<object[]>('SELECT scopes, address_ranges FROM api_keys WHERE id = $1', [id]);
    expect(row).toEqual({
      scopes: ['use_conversations', 'manage_webhooks'],
      address_ranges: ['10.0.0.0/8', '::1/128'],
    });
  });

  it.each([
    ['--scopes', 'run_everything', 'there is no permission run_everything'],
    ['--scopes', ' , ', 'there is no permission'],
    ['--addresses', '10.0.0.1/8', 'that range begins at 10.0.0.0'],
    ['--addresses', ',', '--addresses must be at least one'],
  ])('refuses %s %j', async (option, value, problem) => {
    await expect(issue(option, value)).rejects.toThrow(problem);
  });
});
