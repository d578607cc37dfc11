/**
 * What the suite needs of a test runner: the globals of Jest or Vitest, or of `node:test` with `before` and `after`. A
 * test starts real sandboxes, several times: its time-out has to be minutes.
 */
export interface TestRunner {
  readonly describe: (name: string, tests: () => void) => unknown;
  readonly it: (name: string, test: () => Promise<void>) => unknown;
  readonly beforeAll: (hook: () => Promise<void>) => unknown;
  readonly afterAll: (hook: () => Promise<void>) => unknown;
}
