import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const ROOT = join(__dirname, '..', '..');

/** A file of npm in the root of the repository. */
function read<Schema extends z.ZodType>(name: string, schema: Schema): z.infer<Schema> {
  return schema.parse(JSON.parse(readFileSync(join(ROOT, name), 'utf8')));
}

it('denies the install scripts of every package that has some, so that `npm ci` warns of none', () => {
  const { packages } = read(
    'package-lock.json',
    z.object({ packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() })) }),
  );
  const withScripts = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    path !== '' && hasInstallScript === true ? [path.replace(/^.*node_modules\//, '')] : [],
  );
  const { allowScripts } = read(
    'package.json',
    z.object({ allowScripts: z.record(z.string(), z.literal(false)) }),
  );
  expect(Object.keys(allowScripts)).toEqual([...new Set(withScripts)].sort());
});
