import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

describe('the modules in docs/architecture.md', () => {
  it('are the folders of src', () => {
    const text = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
    const [, table = ''] = /^\| Module .*\n((?:\|.*\n)+)/m.exec(text) ?? [];
    const listed = [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, module = '']) => module);
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(listed.sort()).toEqual(folders.sort());
  });
});
