const base = require('./jest.config.cjs');

/** The tests against the real agent server: one file at a time, patient. */
/** @type {import('jest').Config} */
module.exports = {
  ...base,
  roots: ['<rootDir>/test/agent-server'],
  testMatch: ['**/*.e2e-spec.ts'],
  maxWorkers: 1,
  testTimeout: 240_000,
};
