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

/** Of each table but partitions: whether it has the column, always, and whether all its primary and unique keys do. */
const KEYS = `
  SELECT t.relname AS name, a.attnum IS NOT NULL AS has_org, coalesce(a.attnotnull, false) AS is_always_there,
         NOT EXISTS (SELECT 1 FROM pg_index i
                      WHERE i.indrelid = t.oid AND i.indisunique AND a.attnum <> ALL (i.indkey)) AS in_every_key
    FROM pg_class t LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'org_id'
   WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition`;

function saysOf({ has_org, is_always_there, in_every_key }: Readonly<Record<string, unknown>>): string {
  if (has_org !== true) return 'no `org_id`';
  if (is_always_there !== true) return '`org_id` may be null';
  return in_every_key === true ? '`org_id` is part of every key' : '`org_id` stands beside a key of one id';
}

describe('what docs/scaling.md says of keys', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('is so, of every table', async () => {
    const found = await ask(database.url, KEYS);
    const inDatabase = Object.fromEntries(found.map((table) => [String(table['name']), saysOf(table)]));
    expect(documented()).toEqual(inDatabase);
  });
});
