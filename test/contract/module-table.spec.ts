import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ROOT = join(__dirname, '..', '..');

describe('the modules in docs/architecture.md', () => {
  it('are the folders of its areas', () => {
    const text = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
    const [, table = ''] = /^\| Area .*\n((?:\|.*\n)+)/m.exec(text) ?? [];
    const rows = [...table.matchAll(/^\| `([\w-]+)` +\| (?:`([\w-]+)`)?/gm)];
    const listed = rows.map(([, area = '', module]) => (module === undefined ? area : `${area}/${module}`));
    const foldersOf = (path: string): string[] =>
      readdirSync(join(ROOT, 'src', path), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => posix.join(path, name));
    const modules = foldersOf('').flatMap((area) =>
      existsSync(join(ROOT, 'src', area, 'index.ts')) ? [area] : foldersOf(area),
    );
    expect(listed.sort()).toEqual(modules.sort());
  });
});
