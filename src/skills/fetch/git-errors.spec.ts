import { problemOf } from './git-errors';

it.each([
  ["fatal: couldn't find remote ref v9", 'the repository has no such branch, tag or commit'],
  ['fatal: Out of memory, malloc failed (tried to allocate 700000001 bytes)', 'takes too much memory'],
  ['error: RPC failed; HTTP 503 curl 22 The requested URL returned error: 503', 'out of order'],
  ['fatal: mismatched algorithms: client sha1; server sha256', 'SHA-256'],
  ['remote: not found\nsomething new', 'git could not fetch the repository'],
])('what git says, %j, is told in words of ours', (messages, sentence) => {
  expect(problemOf(messages).message).toContain(sentence);
});

it('keeps what git said for the log, without names and passwords of addresses', () => {
  expect(problemOf("fatal: unable to access 'https://me:secret@git.example/a/'").cause).toMatchObject({
    message: "fatal: unable to access 'https://****@git.example/a/'",
  });
});
