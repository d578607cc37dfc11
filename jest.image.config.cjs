const base = require('./jest.config.cjs');

/** The test of the image: it builds one, which takes minutes. */
/** @type {import('jest').Config} */
module.exports = {
  ...base,
  roots: ['<rootDir>/test/image'],
  testMatch: ['**/*.e2e-spec.ts'],
};
