/**
 * Packs the build of a release, for the tests that run it on a newer schema:
 *
 *   node scripts/pack-release.mjs COMMIT test/fixtures/NAME.tgz
 *
 * The package holds `package.json` and the JavaScript of `dist`; it runs with the dependencies of this checkout. The
 * same commit always gives the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [commit, file] = process.argv.slice(2);
if (commit === undefined || file === undefined)
  throw new Error('Usage: node scripts/pack-release.mjs COMMIT FILE.tgz');
const folder = mkdtempSync(join(tmpdir(), 'release-'));
const source = join(folder, 'source');
const staging = join(folder, 'package');

/**
 * @param {string} cwd
 * @param {string} program
 * @param {string[]} args
 */
function run(cwd, program, ...args) {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

try {
  mkdirSync(source);
  mkdirSync(staging);
  const archive = join(folder, 'source.tar');
  run('.', 'git', 'archive', '--output', archive, commit);
  run(source, 'tar', '-xf', archive);
  run(source, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  run(source, 'npx', 'nest', 'build');
  cpSync(join(source, 'dist'), join(staging, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.map'),
  });
  const { name, version, license, engines, dependencies } = JSON.parse(
    readFileSync(join(source, 'package.json'), 'utf8'),
  );
  const described = { name, version, license, private: true, engines, files: ['dist'], dependencies };
  writeFileSync(join(staging, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);
  const packed = run(staging, 'npm', 'pack', '--ignore-scripts', '--silent').trim();
  copyFileSync(join(staging, packed), file);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
