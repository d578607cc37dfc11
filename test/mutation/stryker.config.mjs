/**
 * `MUTATE=auth npm run test:mutation`: changes the sources of a subject in one place at a time, and counts the changes
 * that its tests do not find. Takes an hour for a subject on two quiet cores.
 */
import { globSync, readFileSync } from 'node:fs';

/**
 * What is changed, the tests that have to find it, and the least share of changes that they have to find, in percent. Every
 * so many lines one is changed, because each change costs a run of all its tests.
 */
const SUBJECTS = {
  'request-limits': {
    source: 'src/kernel/request-limits',
    tests: ['src/kernel/request-limits', 'test/integration/http/request-limits'],
    every: 4,
    floor: 60,
  },
  auth: {
    source: 'src/kernel/auth',
    tests: [
      'src/kernel/auth',
      'test/contract/access',
      'test/contract/recent-sign-in',
      'test/e2e/api-keys',
      'test/e2e/bound-keys',
      'test/e2e/browser-sessions',
      'test/e2e/orgs/current-user',
      'test/e2e/service-keys',
      'test/e2e/sandbox-access/who-may-pass',
      'test/integration/extensions/adapters',
      'test/integration/extensions/credential-ends',
    ],
    every: 12,
    floor: 60,
  },
  'pending-messages': {
    source: 'src/conversations/pending-messages',
    tests: ['src/conversations/pending-messages', 'test/integration/pending-messages'],
    every: 20,
    floor: 60,
  },
};

const name = process.env.MUTATE ?? '';
const subject = SUBJECTS[name];
if (subject === undefined) throw new Error(`MUTATE has to be one of ${Object.keys(SUBJECTS).join(', ')}`);

/** Every so many lines of a file one, and one of each that has fewer, as the tool names lines. */
function chosenLines(file) {
  const count = readFileSync(file, 'utf8').split('\n').length;
  const first = Math.ceil(Math.min(subject.every, count) / 2);
  return Array.from({ length: Math.max(1, Math.floor(count / subject.every)) }, (_, index) => {
    const line = first + index * subject.every;
    return `${file}:${line}-${line}`;
  });
}

const files = globSync(`${subject.source}/**/*.ts`).filter((file) => !file.endsWith('.spec.ts'));

export default {
  mutate: files.sort().flatMap(chosenLines),
  testRunner: 'command',
  commandRunner: { command: `npx jest -i --bail --silent ${subject.tests.join(' ')}` },
  // What it needs of TypeScript is no longer in the version that it finds.
  tsconfigFile: 'none',
  concurrency: 2,
  // A change that hangs is found by the tests' own bounds; a busy machine is not a change that is found.
  timeoutMS: 600_000,
  tempDirName: '.cache/mutation',
  // What other suites have fetched there: gigabytes, which would be looked through and copied for minutes.
  ignorePatterns: ['/.cache'],
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false },
  thresholds: { high: 100, low: subject.floor, break: subject.floor },
};
