/** The test of the package: packs and installs it, which takes minutes and needs the registry. */
/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test/package'],
  testMatch: ['**/*.e2e-spec.ts'],
  transform: require('./jest.config.cjs').transform,
  testTimeout: 900_000,
};
