import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const ROOT = join(__dirname, '..', '..');
const documentSchema = z.looseObject({ paths: z.record(z.string(), z.unknown()) });

/** Builds a copy of the console against a changed document. @returns what the build says; null where it passes */
function build(change: (document: z.infer<typeof documentSchema>) => void): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'console-build-'));
  const document = documentSchema.parse(JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')));
  change(document);
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const built = join('console', 'dist');
  cpSync(join(ROOT, 'console'), join(folder, 'console'), {
    recursive: true,
    filter: (path) => !path.endsWith(built),
  });
  return new Promise((resolve) => {
    execFile(process.execPath, [join(folder, 'console', 'build.mjs')], (error, stdout, stderr) => {
      rmSync(folder, { recursive: true });
      resolve(error === null ? null : stdout + stderr);
    });
  });
}

describe('the build of the console', () => {
  it('fails where an operation that a page calls is gone', async () => {
    const said = await build(({ paths }) => {
      delete paths['/api/keys'];
    });
    expect(said).toMatch(/keys.*error TS/);
  });
});
