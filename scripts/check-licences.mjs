/**
 * `npm run licences`: the licences of all packages in the lock file, by how many have them. Fails on a package
 * whose licence is not allowed here or not known.
 *
 *   node scripts/check-licences.mjs [lock file]
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Licences that ask for no more than their own text to be kept. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);

/** Of programs that tests run unchanged, and that are no part of what is shipped. */
const ALLOWED_FOR_TESTS = new Set(['MPL-2.0']);

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = process.argv[2] ?? join(root, 'package-lock.json');
const packages = Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages).filter(
  ([path]) => path !== '',
);

/** Lock files leave out the form that old packages use: a list of licences. */
function licenceOf(path, { license }) {
  if (license !== undefined) return license;
  const manifest = join(dirname(file), path, 'package.json');
  if (!existsSync(manifest)) return undefined;
  const { licenses = [] } = JSON.parse(readFileSync(manifest, 'utf8'));
  return licenses.length === 0 ? undefined : licenses.map(({ type }) => type).join(' OR ');
}

/** An expression of SPDX: of alternatives one has to be allowed, of what holds together all. */
function isAllowed(expression, isForTests) {
  const text = expression.replaceAll(/[()]/g, '');
  const may = (one) => ALLOWED.has(one) || (isForTests && ALLOWED_FOR_TESTS.has(one));
  return text.split(' OR ').some((choice) => choice.split(' AND ').every((one) => may(one.trim())));
}

const counts = new Map();
let refused = 0;
for (const [path, entry] of packages) {
  const licence = licenceOf(path, entry) ?? 'unknown';
  counts.set(licence, (counts.get(licence) ?? 0) + 1);
  if (isAllowed(licence, entry.dev === true)) continue;
  refused++;
  process.stdout.write(`${path}: ${licence} is not allowed\n`);
}
for (const [licence, count] of [...counts].sort(([, a], [, b]) => b - a))
  process.stdout.write(`${String(count).padStart(5)}  ${licence}\n`);
process.exitCode = refused === 0 ? 0 : 1;
