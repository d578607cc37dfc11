const base = require('./jest.config.cjs');

/** Of the library for Kubernetes, what jest cannot load as it is: modules of ECMAScript. */
const MODULES = '/node_modules/(@kubernetes/client-node|openid-client|oauth4webapi|jose)/';

/** The tests against the real agent server: one file at a time, patient. */
/** @type {import('jest').Config} */
module.exports = {
  ...base,
  roots: ['<rootDir>/test/agent-server'],
  testMatch: ['**/*.e2e-spec.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.env.LONG === 'yes' ? [] : ['\\.long\\.e2e-spec\\.ts$']),
  ],
  maxWorkers: 1,
  testTimeout: 240_000,
  transform: { ...base.transform, [`${MODULES}.+\\.js$`]: base.transform['^.+\\.ts$'] },
  transformIgnorePatterns: [`/node_modules/(?!${MODULES.replace('/node_modules/', '')})`],
};
