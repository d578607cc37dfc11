import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ROOT = join(__dirname, '..', '..');

describe('the modules in docs/architecture.md', () => {
  it('are the folders of its areas that have a door', () => {
    const text = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
    const [, table = ''] = /^\| Area .*\n((?:\|.*\n)+)/m.exec(text) ?? [];
    const rows = [...table.matchAll(/^\| `([\w-]+)` +\| (?:`([\w-]+)`)?/gm)];
    const listed = rows.map(([, area = '', module]) => (module === undefined ? area : `${area}/${module}`));
    const doors = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .map((name) => posix.normalize(name.replaceAll('\\', '/')))
      .filter((name) => /^[^/]+(\/[^/]+)?\/index\.ts$/.test(name))
      .map((name) => posix.dirname(name));
    expect(listed.sort()).toEqual(doors.sort());
  });
});
