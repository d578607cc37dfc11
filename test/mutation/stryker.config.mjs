/**
 * `MUTATE=auth npm run test:mutation`: changes the sources of a subject in one place at a time, and counts the changes
 * that its tests do not find. Needs Node 22 or newer from npm; takes hours for all subjects.
 */

/** What is changed, the tests that have to find it, and the least share of changes that they find, in percent. */
const SUBJECTS = {
  'request-limits': {
    mutate: ['src/kernel/request-limits'],
    tests: ['src/kernel/request-limits', 'test/integration/http/request-limits'],
    floor: 60,
  },
  auth: {
    mutate: ['src/kernel/auth'],
    tests: [
      ...['src/kernel/auth', 'test/contract/access', 'test/contract/recent-sign-in', 'test/e2e/api-keys'],
      ...[
        'test/e2e/browser-sessions',
        'test/e2e/service-keys',
        'test/integration/extensions/credential-ends',
      ],
    ],
    floor: 60,
  },
  'pending-messages': {
    mutate: ['src/conversations/pending-messages'],
    tests: [
      'src/conversations/pending-messages',
      'test/e2e/pending-messages',
      'test/integration/pending-messages',
    ],
    floor: 60,
  },
};

const name = process.env.MUTATE ?? '';
const subject = SUBJECTS[name];
if (subject === undefined) throw new Error(`MUTATE has to be one of ${Object.keys(SUBJECTS).join(', ')}`);

export default {
  mutate: subject.mutate.flatMap((folder) => [`${folder}/**/*.ts`, `!${folder}/**/*.spec.ts`]),
  testRunner: 'command',
  commandRunner: { command: `npx jest --bail --silent ${subject.tests.join(' ')}` },
  // What it needs of TypeScript is no longer in the version that it finds.
  tsconfigFile: 'none',
  concurrency: 2,
  // A change that hangs is found by the tests' own bounds; a busy machine is not a change that is found.
  timeoutMS: 600_000,
  tempDirName: `.cache/mutation/${name}`,
  incremental: true,
  incrementalFile: `.cache/mutation/${name}.json`,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false },
  thresholds: { high: 100, low: subject.floor, break: subject.floor },
};
