import { RegistrationProblem } from '../registration/registration-problem';

/** Patterns of git's messages and the sentence for the caller; the first match wins. */
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

/** Maps git's messages, which may contain anything, to one of our own sentences. */
export function registrationProblemOf(messages: string): RegistrationProblem {
  const ours = messages
    .split('\n')
    .filter((line) => !line.startsWith('remote:'))
    .join('\n');
  const found = SENTENCES.find(([pattern]) => pattern.test(ours));
  return new RegistrationProblem(found?.[1] ?? 'git could not fetch the repository', {
    cause: new Error(withoutCredentials(ours)),
  });
}

/** For the operator's log: URLs without user and password. */
function withoutCredentials(messages: string): string {
  return messages.replace(/\/\/[^/@\s]*@/g, '//****@');
}
