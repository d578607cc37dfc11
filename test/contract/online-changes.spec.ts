import { sourceFiles, type SourceFile, textsOf } from '../support/source-files';

/** What locks a table against its users, and which: what refers to one, too. A template may name any. */
const LOCKS =
  /\b(?:ALTER|LOCK) TABLE (?:ONLY )?([\w…]+)|\bTRIGGER\s[^;]*?\sON ([\w…]+)|\bREFERENCES ([\w…]+)/g;
/** One `ON ONLY` a partitioned table reads nothing of it. */
const INDEXES = /\bCREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)\S+ ON (?!ONLY )([\w…]+)/g;

/** The tables that statements of a migration name, without those that it makes itself. */
function othersIn({ path, text }: SourceFile, pattern: RegExp): string[] {
  const statements = textsOf({ path, module: 'database', text }).join('\n');
  const made = [...statements.matchAll(/\bCREATE (?:UNLOGGED )?TABLE (\w+)/g)].map(([, table]) => table);
  const named = [...statements.matchAll(pattern)].map(([, ...found]) => found.join(''));
  return named.filter((table) => !made.includes(table));
}

const sample = (statement: string): SourceFile => ({
  path: 'sample.ts',
  module: '',
  text: `run(\`${statement}\`)`,
});

describe('a migration since version 0.1.0', () => {
  const migrations = sourceFiles().filter(
    ({ path }) => path.startsWith('kernel/database/migrations/') && !path.endsWith('-baseline.ts'),
  );

  it('waits for a lock of a table in use for a moment only', () => {
    const locking = migrations.filter((file) => othersIn(file, LOCKS).length > 0);
    const patient = locking.filter(({ text }) => !text.includes("SET LOCAL lock_timeout = '5s'"));
    expect(patient.map(({ path }) => path)).toEqual([]);
  });

  it('makes indexes of tables in use concurrently', () => {
    const blocking = migrations.filter((file) => othersIn(file, INDEXES).length > 0);
    expect(blocking.map(({ path }) => path)).toEqual([]);
  });

  it.each([
    ['ALTER TABLE users ADD COLUMN a text', LOCKS, ['users']],
    ['ALTER TABLE ${table} ADD COLUMN a text', LOCKS, ['…']],
    ['LOCK TABLE users IN SHARE MODE', LOCKS, ['users']],
    ['CREATE TRIGGER a BEFORE INSERT OR UPDATE OF b ON users FOR EACH ROW', LOCKS, ['users']],
    ['CREATE TABLE a (b uuid CONSTRAINT c REFERENCES users (id))', LOCKS, ['users']],
    ['CREATE TABLE a (b int); ALTER TABLE a ADD COLUMN c text', LOCKS, []],
    ['CREATE UNIQUE INDEX a ON users (b)', INDEXES, ['users']],
    ['CREATE INDEX CONCURRENTLY a ON users (b)', INDEXES, []],
    ['CREATE INDEX a ON ONLY users (b)', INDEXES, []],
    ['CREATE TABLE a (b int); CREATE INDEX c ON a (b)', INDEXES, []],
  ])('is read: %s', (statement, pattern, tables) => {
    expect(othersIn(sample(statement), pattern)).toEqual(tables);
  });
});
