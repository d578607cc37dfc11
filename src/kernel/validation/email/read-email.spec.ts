import { readEmail } from './read-email';

describe('readEmail', () => {
  it.each([
    ['A. B <a@example.com>', "The display name contains invalid characters when not quoted: '.'."],
    ['"a"b@example.com', "Extra character(s) found after close quote: 'b'"],
    [
      '"A" \u0301b <a@example.com>',
      `Extra character(s) found after close quote: SPACE, COMBINING ACUTE ACCENT, 'b'`,
    ],
    ['"a\\"b"@example.com', 'Quoting the part before the @-sign is not allowed here.'],
    ['\u0358b@example.com', 'The email address contains unsafe characters: COMBINING DOT ABOVE RIGHT.'],
  ])('says of %j: %s', (text, error) => {
    expect(readEmail(text).error).toBe(error);
  });
});
