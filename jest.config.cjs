const { readFileSync } = require('node:fs');

const swc = { ...JSON.parse(readFileSync(`${__dirname}/.swcrc`, 'utf8')), swcrc: false };
delete swc.exclude;
delete swc.jsc.rewriteRelativeImportExtensions; // tests run the sources

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/jest-environment.cjs',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  // The scripts of worker threads and child processes are compiled once, before the tests.
  moduleNameMapper: { '/node-script$': '<rootDir>/test/support/compiled/node-script.ts' },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/database/patient-connections.ts'],
  reporters: ['default', '<rootDir>/test/support/summary-reporter.cjs'],
  // More than two cores' worth: many tests wait for other processes, for time-outs and leases.
  maxWorkers: 3,
  // What a test waits for has its own bound; this ends one that hangs, on a machine that may be busy.
  testTimeout: 180_000,
};
