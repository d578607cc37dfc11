const { readFileSync } = require('node:fs');

const swc = { ...JSON.parse(readFileSync(`${__dirname}/.swcrc`, 'utf8')), swcrc: false };
delete swc.exclude;
delete swc.jsc.rewriteRelativeImportExtensions; // tests run the sources

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/jest-environment.cjs',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // What takes long, for what it adds, is for .ci/long.
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.LONG === 'yes' ? [] : ['\\.long\\.spec\\.ts$'])],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  runtime: '<rootDir>/test/support/jest-runtime.cjs',
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/support/summary-reporter.cjs'],
  // More than two cores' worth: many tests wait for other processes, for time-outs and leases.
  maxWorkers: 3,
  // What a test waits for has its own bound; this ends one that hangs, on a machine that may be busy.
  testTimeout: 600_000,
};
