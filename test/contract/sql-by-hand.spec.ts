import { importedNames, type SourceFile, sourceFiles, textsOf } from '../support/source-files';

/** Where the connection itself is made, and where statements run on connections of the job queue. */
const OWN_CONNECTIONS = /^(kernel\/(database|jobs)|appliance\/embedded-postgres)\//;
/** Statements written by hand, each with the reason why a repository does not do. */
const BY_HAND = /\.(query|read-model)\.ts$/;
/** What runs a statement by hand. */
const RUNNERS = ['queryRow', 'queryRows', 'execute', 'PreparedStatement', 'Statement'];
/** A statement, or one in brackets within another. */
const SQL = /(?:^|\()\s*(?:WITH|SELECT|INSERT|UPDATE|DELETE|MERGE)\s/;

const all = sourceFiles();
const files = all.filter(({ path }) => !OWN_CONNECTIONS.test(path) && !BY_HAND.test(path));

const hasSql = (file: SourceFile): boolean => textsOf(file).some((text) => SQL.test(text));

describe('SQL by hand', () => {
  it('stands in files that are named for it only', () => {
    expect(files.filter(hasSql).map(({ path }) => path)).toEqual([]);
  });

  it.each([
    'run(`SELECT 1 FROM users`)',
    "run('UPDATE users SET name = $1')",
    'run(`\n  WITH a AS (SELECT 1) SELECT ${columns} FROM a`)',
    "rows.andWhere('(user.createdAt, user.id) <= (SELECT created_at, id FROM users)')",
  ])('is found in %s', (text) => {
    expect(hasSql({ path: 'sample.ts', module: '', text })).toBe(true);
  });

  it('is given to a connection in the database and the jobs only', () => {
    const others = all.filter(({ path }) => !OWN_CONNECTIONS.test(path));
    const found = others.filter(({ text }) => /\.query[<(]/.test(text)).map(({ path }) => path);
    expect(found).toEqual([]);
  });

  it('is run by files that are named for it only', () => {
    const found = files
      .filter((file) => importedNames(file).some(({ name }) => RUNNERS.includes(name)))
      .map(({ path }) => path);
    expect(found).toEqual([]);
  });

  it('says why it is by hand', () => {
    const silent = all.filter(({ path, text }) => BY_HAND.test(path) && !/\bby\s+(?:\* )?hand\b/i.test(text));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });
});
