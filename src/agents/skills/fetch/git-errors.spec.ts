import { registrationProblemOf } from './git-upstream';

it.each([
  ["fatal: couldn't find remote ref v9", 'the repository has no such branch, tag or commit'],
  ['fatal: Out of memory, malloc failed (tried to allocate 700000001 bytes)', 'takes too much memory'],
  ['error: RPC failed; HTTP 503 curl 22 The requested URL returned error: 503', 'out of order'],
  ['fatal: mismatched algorithms: client sha1; server sha256', 'SHA-256'],
  ['remote: not found\nsomething new', 'git could not fetch the repository'],
])('git’s message %j becomes a sentence of our own', (messages, sentence) => {
  expect(registrationProblemOf(messages).message).toContain(sentence);
});

it('keeps git’s message for the log, without the user names and passwords of URLs', () => {
  expect(
    registrationProblemOf("fatal: unable to access 'https://me:secret@git.example/a/'").cause,
  ).toMatchObject({
    message: "fatal: unable to access 'https://****@git.example/a/'",
  });
});
