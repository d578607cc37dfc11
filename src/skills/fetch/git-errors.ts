import { RegistrationProblem } from '../registration/registration-problem';

/** What git says, and how the caller is told; the first that matches counts. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/couldn't find remote ref HEAD/i, 'the repository is empty'],
  [
    /couldn't find remote ref|not our ref|unadvertised object|Not a valid object name|not a tree object/i,
    'the repository has no such branch, tag or commit',
  ],
  [
    /could not read (Username|Password)|Authentication failed|terminal prompts disabled|error: 40[13]\b/i,
    'the repository asks for credentials that this service does not have for it',
  ],
  [/error: 3\d\d\b|unable to update url base/i, 'the server sends elsewhere, which is not followed'],
  [/not found|error: 404|does not appear to be a git repository/i, 'there is no such repository'],
  [/SSL|certificate|TLS/i, 'the server’s certificate is not accepted'],
  [/error: (429|5\d\d)/i, 'the server is out of order at the moment'],
  [
    /could not resolve|failed to connect|connection (refused|reset)|timed out|empty reply|hung up/i,
    'the server cannot be reached',
  ],
  [/mismatched algorithms/i, 'repositories with SHA-256 ids cannot be previewed'],
  [/out of memory|memory exhausted|mmap failed/i, 'the repository takes too much memory to read'],
  [/No space left/i, 'there is no room on the disk'],
];

/** Turns git's own words, which may hold anything, into one of our sentences. */
export function problemOf(messages: string): RegistrationProblem {
  const ours = messages
    .split('\n')
    .filter((line) => !line.startsWith('remote:'))
    .join('\n');
  const found = SENTENCES.find(([pattern]) => pattern.test(ours));
  return new RegistrationProblem(found?.[1] ?? 'git could not fetch the repository', {
    cause: new Error(withoutUsers(ours)),
  });
}

/** For the log of the operator: addresses without what stands before the `@`. */
function withoutUsers(messages: string): string {
  return messages.replace(/\/\/[^/@\s]*@/g, '//****@');
}
