import { importedNames, sourceFiles } from '../support/source-files';

/** Where the connection itself is made, and where statements run on connections of the job queue. */
const OWN_CONNECTIONS = /^(database|jobs)\//;
/** Statements written by hand, each with the reason why a repository does not do. */
const BY_HAND = /\.(query|read-model)\.ts$/;
/** What runs a statement by hand. */
const RUNNERS = ['queryRow', 'queryRows', 'execute', 'PreparedStatement', 'Statement'];
const files = sourceFiles().filter(({ path }) => !OWN_CONNECTIONS.test(path) && !BY_HAND.test(path));

describe('SQL by hand', () => {
  it('is given to a connection in the files of statements, the database and the jobs only', () => {
    const found = files.filter(({ text }) => /\.query[<(]/.test(text)).map(({ path }) => path);
    expect(found).toEqual([]);
  });

  it('is run by files that are named for it only', () => {
    const found = files
      .filter((file) => importedNames(file).some(({ name }) => RUNNERS.includes(name)))
      .map(({ path }) => path);
    expect(found).toEqual([]);
  });
});
