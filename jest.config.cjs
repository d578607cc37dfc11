const { readFileSync } = require('node:fs');

const swc = { ...JSON.parse(readFileSync(`${__dirname}/.swcrc`, 'utf8')), swcrc: false };
delete swc.exclude;
delete swc.jsc.rewriteRelativeImportExtensions; // tests run the sources

/** Of the library for Kubernetes, what jest cannot load as it is: modules of ECMAScript. */
const MODULES = '(@kubernetes/client-node|openid-client|oauth4webapi|jose)/';

/** Spec files whose name says what they need, as `docker-driver.engines.spec.ts` does. */
const named = (need) => ({ testRegex: `\\.${need}(\\.long)?\\.spec\\.ts$` });
/** Spec files in a folder of their own. */
const below = (folder) => ({
  roots: [`<rootDir>/test/${folder}`],
  testRegex: '/[^/.]+(\\.long)?\\.e2e-spec\\.ts$',
});

/** Real agent servers, patiently: each of them needs half a gigabyte. */
const withAgentServer = {
  maxWorkers: 2,
  transform: { '^.+\\.ts$': ['@swc/jest', swc], [`/node_modules/${MODULES}.+\\.js$`]: ['@swc/jest', swc] },
  transformIgnorePatterns: [`/node_modules/(?!${MODULES})`],
};

/** What `npm run test:NAME` has run, by NAME; no spec file is in two of them. `npm test` runs the first. */
const suites = {
  run: {
    testRegex: '/[^/.]+(\\.long)?\\.spec\\.ts$',
    // Many wait for time-outs, for leases and for PostgreSQL, and few begin processes.
    maxWorkers: 4,
  },
  /** What sandboxes run on: a container engine, a cluster of Kubernetes, processes that are kept apart. */
  engines: named('engines'),
  browser: named('browser'),
  /** A provider of identities that others make: it needs Java and Maven, and takes a minute or more to start. */
  'identity-provider': named('identity-provider'),
  /** Whole services in processes of their own, several replicas, and what is killed: some of it is bound in time. */
  replicas: { ...named('replicas'), maxWorkers: 2 },
  'agent-server': { ...below('agent-server'), ...withAgentServer },
  'public-clients': {
    ...below('public-clients'),
    ...withAgentServer,
    globalSetup: '<rootDir>/test/public-clients/global-setup.ts',
  },
  /** An engine builds the image before all of them, which takes minutes. */
  image: {
    ...below('image'),
    globalSetup: '<rootDir>/test/support/containers/image-setup.ts',
    globalTeardown: '<rootDir>/test/support/containers/image-teardown.ts',
    maxWorkers: 2,
  },
  /** Packs and installs, which takes minutes and needs the registry. */
  package: {
    ...below('package'),
    testEnvironment: 'node',
    runtime: undefined,
    globalSetup: undefined,
    globalTeardown: undefined,
    testTimeout: 900_000,
  },
};

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/jest-environment.cjs',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  // What takes long, for what it adds, is for .ci/long.
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.LONG === 'yes' ? [] : ['\\.long\\.'])],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  runtime: '<rootDir>/test/support/jest-runtime.cjs',
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/support/summary-reporter.cjs'],
  // More than two cores' worth: many tests wait, for other processes above all.
  maxWorkers: 3,
  // What a test waits for has its own bound; this ends one that hangs, on a machine that may be busy.
  testTimeout: 600_000,
  ...suites[process.env.SUITE ?? 'run'],
};

// For the test that every spec file is in one of them; jest knows no such option.
Object.defineProperty(module.exports, 'suites', { value: suites });
