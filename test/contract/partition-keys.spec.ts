import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../support/database/ask';
import { createTestDatabase, type TestDatabase } from '../support/database/postgres';

/** The tables of docs/scaling.md#organizations-apart, by what they say of their keys. */
function documented(): Readonly<Record<string, string>> {
  const text = readFileSync(join(__dirname, '..', '..', 'docs', 'scaling.md'), 'utf8');
  const rows = text.matchAll(/^\| ((?:`\w+`(?:, )?)+) +\| ([^|]+?) +\|/gm);
  return Object.fromEntries(
    [...rows].flatMap(([, tables = '', says = '']) =>
      [...tables.matchAll(/`(\w+)`/g)].map(([, table = '']): [string, string] => [table, says]),
    ),
  );
}

/** By table: whether it has the column, and whether all its primary and unique keys do. */
const KEYS = `
  SELECT t.relname AS name,
         EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'org_id') AS has_org,
         bool_and(pg_get_indexdef(i.indexrelid) LIKE '%org_id%') AS in_every_key
    FROM pg_class t JOIN pg_index i ON i.indrelid = t.oid AND i.indisunique
   WHERE t.relnamespace = 'public'::regnamespace GROUP BY t.oid, t.relname`;

describe('what docs/scaling.md says of keys', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('is so', async () => {
    const said = documented();
    expect(Object.keys(said).length).toBeGreaterThan(15);
    const found = (await ask(database.url, KEYS)).map(({ name, has_org, in_every_key }): [string, string] => [
      String(name),
      has_org !== true
        ? 'no `org_id`'
        : in_every_key === true
          ? '`org_id` is part of every key'
          : '`org_id` stands beside a key of one id',
    ]);
    const inDatabase = Object.fromEntries(found.filter(([name]) => name in said));
    expect(inDatabase).toEqual(said);
  });
});
