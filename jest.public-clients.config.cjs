const base = require('./jest.agent-server.config.cjs');

/** The tests of software made for the public API, with the real agent server. */
/** @type {import('jest').Config} */
module.exports = {
  ...base,
  roots: ['<rootDir>/test/public-clients'],
  globalSetup: '<rootDir>/test/public-clients/global-setup.ts',
};
