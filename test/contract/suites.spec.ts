import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import { z } from 'zod';

const ROOT = join(__dirname, '..', '..');

const { suites } = z
  .object({
    suites: z.record(z.string(), z.object({ roots: z.array(z.string()).optional(), testRegex: z.string() })),
  })
  .parse(createRequire(__filename)(join(ROOT, 'jest.config.cjs')));

const specFiles = ['src', 'test'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('spec.ts'))
    .map((path) => posix.join('/', folder, path)),
);

describe('a spec file', () => {
  it('is run by one command', () => {
    const commandsFor = (path: string): string[] =>
      Object.entries(suites)
        .filter(([, { roots = ['<rootDir>'], testRegex }]) =>
          roots.some(
            (root) =>
              path.startsWith(`${root.replace('<rootDir>', '')}/`) && new RegExp(testRegex).test(path),
          ),
        )
        .map(([name]) => `test:${name}`);
    expect(specFiles.length).toBeGreaterThan(400);
    expect(specFiles.filter((path) => commandsFor(path).length !== 1)).toEqual([]);
  });
});

describe('a suite', () => {
  it.each(Object.keys(suites))('%s has a command, which continuous integration runs', (name) => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
    expect(scripts[`test:${name}`]).toMatch(name === 'run' ? /^jest$/ : new RegExp(`\\bSUITE=${name} jest$`));
    // That of others' provider takes a download of its own.
    const script = readFileSync(join(ROOT, name === 'identity-provider' ? '.ci/long' : '.ci/run'), 'utf8');
    expect(script).toContain(name === 'run' ? 'npm test' : `test:${name}`);
  });
});
