import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../src/operations/cli/command-line';

describe('the commands in docs/contract.md', () => {
  it('are those that the command line has', async () => {
    const text = readFileSync(join(__dirname, '..', '..', 'docs', 'contract.md'), 'utf8');
    const [, table = ''] = /^## Command line\n[^]*?\n((?:\|.*\n)+)/m.exec(text) ?? [];
    const documented = [...table.matchAll(/^\| `([\w:]+)([^`]*)`/gm)].map(([, name = '', options = '']) => ({
      name,
      options: [...options.matchAll(/\[?--[\w-]+\]?|[A-Z]+/g)].map(([option]) => option),
    }));
    const listed = documented.map(({ name }) => name).join(', ');
    await expect(runCommand([], {})).rejects.toThrow(`There is no command given; there are ${listed}.`);
    for (const { name, options } of documented) {
      const [usage = ''] = (await runCommand(['help', name], {})).split('\n');
      const words = [name, ...options].join(' ');
      expect(usage.replaceAll(' …', '')).toBe(`Usage: npm run --silent cli -- ${words} [--field]`);
    }
  });
});
