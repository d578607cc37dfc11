/**
 * Removes from installed packages what the running service never reads, so that an image is smaller:
 *
 *   node scripts/images/prune-packages.mjs node_modules
 *
 * Licences, notices and readmes stay: they have to go with the packages.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

/** Source maps, TypeScript, add-ons of another runtime, libraries for linking. */
const EXTENSIONS = new Set(['.map', '.ts', '.mts', '.cts', '.bare', '.a']);

/** Folders directly in a package. */
const FOLDERS = new Set(['test', 'tests', '__tests__', 'docs', 'doc', 'example', 'examples', 'benchmarks']);

/** The same code once more, for browsers and bundlers. One that a newer version no longer has is an error. */
const COPIES = {
  'class-transformer': ['bundles', 'esm5', 'esm2015'],
  'class-validator': ['bundles', 'esm5', 'esm2015'],
  'libphonenumber-js': ['bundle', 'es6-modern'],
  protobufjs: ['dist'],
  rxjs: ['dist/bundles', 'dist/esm', 'dist/esm5', 'src'],
  'swagger-ui-dist': ['swagger-ui-es-bundle.js', 'swagger-ui-es-bundle-core.js', 'swagger-ui.js'],
  typeorm: ['browser'],
};

/** Only needed to build; npm keeps it, because a package that is needed could use it for settings in TypeScript. */
const PACKAGES = ['typescript'];

const [root] = process.argv.slice(2);
if (root === undefined) throw new Error('Usage: node scripts/images/prune-packages.mjs FOLDER');

/** @param {string} path */
function remove(path) {
  rmSync(path, { recursive: true, force: true });
}

/**
 * @param {string} folder
 * @returns {string} the name of the package whose folder it is; empty if it is not one's
 */
function packageOf(folder) {
  return (
    /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/@]+)$/.exec(
      `node_modules/${relative(root, folder).replaceAll(sep, '/')}`,
    )?.[1] ?? ''
  );
}

/** @param {string} folder */
function prune(folder) {
  const name = packageOf(folder);
  for (const copy of COPIES[name] ?? []) {
    if (!existsSync(join(folder, copy)))
      throw new Error(`${name} has no ${copy}: correct COPIES in this file.`);
    remove(join(folder, copy));
  }
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) {
      if (EXTENSIONS.has(extname(entry.name))) remove(path);
    } else if (name !== '' && FOLDERS.has(entry.name)) remove(path);
    else prune(path);
  }
}

for (const name of PACKAGES) remove(join(root, name));
// npm's note of what it installed, which is no longer so.
remove(join(root, '.package-lock.json'));
prune(root);
