import { smtpOptions } from './smtp-options';

describe('whether TLS is required of a mail server', () => {
  it.each([
    ['a password for another machine', 'smtp://user:secret@mail.example.com:587', true],
    ['a password for a machine by address', 'smtp://user:secret@10.0.0.5', true],
    ['a password for this machine', 'smtp://user:secret@127.0.0.1:25', false],
    ['a password for this machine by name', 'smtp://user:secret@localhost', false],
    ['no password', 'smtp://mail.example.com', false],
    ['TLS from the start', 'smtps://user:secret@mail.example.com', false],
  ])('%s', (_, url, required) => {
    expect(smtpOptions(url).requireTLS).toBe(required);
  });
});
