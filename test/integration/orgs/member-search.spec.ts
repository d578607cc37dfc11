import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { selectMembers } from '../../../src/accounts/orgs/members/members.query';
import { WantedText } from '../../../src/kernel/common';
import { createDataSource, type SqlRunner } from '../../../src/kernel/database';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { makeMembers, makeOrg } from '../../support/service/factories';

const MEMBERS = 10_000;

describe('a search among ten thousand members', () => {
  let database: TestDatabase;
  let db: DataSource;
  let orgId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    db = await createDataSource(database.url).initialize();
    ({ id: orgId } = await makeOrg(db));
    await makeMembers(database, orgId, MEMBERS);
    await makeMembers(database, (await makeOrg(db)).id, 2 * MEMBERS);
    // As autovacuum does later: until then the index looks costly to the planner, for what it has yet to take in.
    await db.query('VACUUM (ANALYZE) users, org_members');
  });
  afterAll(async () => {
    await db.destroy();
    await database.drop();
  });

  const search = (runner: SqlRunner, text: string) =>
    selectMembers(runner, { orgId, search: WantedText.of(text), from: null, limit: 51 });

  /** How the database runs a search. */
  const planOf = async (text: string): Promise<string> => {
    const rows = await search({ query: (sql, values) => db.query(`EXPLAIN ${sql}`, values) }, text);
    return rows.map((row) => String(Reflect.get(row, 'QUERY PLAN'))).join('\n');
  };

  it.each(['person 77', 'person', '@example.org', 'nobody like that', randomUUID()])(
    'for "%s" does not read all users',
    async (text) => expect(await planOf(text)).not.toContain('Seq Scan on users'),
  );

  it.each(['zz', 'p', '@', '%', '李', '_%'])(
    'for "%s", which is in no index, reads the members until there are enough',
    async (text) => {
      const plan = await planOf(text);
      expect(plan).toMatch(/^Limit[^]*org_members_pkey/);
      expect(plan).not.toMatch(/Seq Scan on (users|org_members)|Sort/);
    },
  );

  it('finds them all the same', async () => {
    expect(await search(db, 'PERSON 9999')).toHaveLength(1);
    expect(await search(db, 'p')).toHaveLength(51);
    expect(await search(db, 'zz')).toEqual([]);
  });
});
