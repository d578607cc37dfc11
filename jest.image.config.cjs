const base = require('./jest.config.cjs');

/** The tests of the image: one engine builds it before all of them, which takes minutes. */
/** @type {import('jest').Config} */
module.exports = {
  ...base,
  roots: ['<rootDir>/test/image'],
  testMatch: ['**/*.e2e-spec.ts'],
  globalSetup: '<rootDir>/test/support/containers/image-setup.ts',
  globalTeardown: '<rootDir>/test/support/containers/image-teardown.ts',
  maxWorkers: 2,
};
