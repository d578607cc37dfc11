import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

it('the diffs of docs/add-an-endpoint.md apply', () => {
  const page = readFileSync(join(ROOT, 'docs', 'add-an-endpoint.md'), 'utf8');
  const diffs = [...page.matchAll(/^```diff\n(.*?)^```$/gms)].map(([, diff = '']) => diff);
  expect(diffs.length).toBeGreaterThan(5);
  expect(() =>
    execFileSync('git', ['apply', '--check'], { cwd: ROOT, input: diffs.join(''), stdio: 'pipe' }),
  ).not.toThrow();
});
