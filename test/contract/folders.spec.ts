import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const SOURCE = join(__dirname, '..', '..', 'src');
/** Over this many files, a folder has subfolders that are concepts (docs/contributing.md#conventions). */
const DOZEN = 12;

/** Source files of a folder; its door and its specs do not count. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.spec)\.ts$/.test(entry.name) && entry.name !== 'index.ts')
    .map(({ name }) => name);
}

function foldersBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .flatMap((child) => [child, ...foldersBelow(child)]);
}

describe('a folder of the source', () => {
  // Migrations are a list in the order of time.
  const folders = foldersBelow(SOURCE).filter((folder) => !folder.endsWith('migrations'));

  it.each(folders.map((folder) => [relative(SOURCE, folder), folder]))(
    '%s has a dozen files at most',
    (_, folder) => {
      expect(filesOf(folder).slice(DOZEN)).toEqual([]);
    },
  );
});
