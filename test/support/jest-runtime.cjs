/**
 * Jest's runtime, but packages and the sources of the service are loaded by Node, from where they were compiled for this
 * test run: once for each worker, as production has them once, and they get fast by being used. Test files spent most of
 * their time on loading the same three thousand modules. The files below `test` are still loaded anew for each of them.
 */
const { createRequire } = require('node:module');
const { dirname, join, relative, resolve, sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const ROOT = join(__dirname, '..', '..');
const SOURCES = join(ROOT, 'src') + sep;

module.exports = class extends Runtime {
  requireModule(from, name, options, isRequireActual) {
    if (name === undefined || options?.isInternalModule === true)
      return super.requireModule(from, name, options, isRequireActual);
    if (!name.startsWith('.')) return createRequire(from)(name);
    const path = resolve(dirname(from), name);
    if (!path.startsWith(SOURCES)) return super.requireModule(from, name, options, isRequireActual);
    return require(join(process.env.TEST_COMPILED_SOURCES, relative(ROOT, path)));
  }
};
