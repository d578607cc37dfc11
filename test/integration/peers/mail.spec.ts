import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { readSettings } from '../../../src/kernel/config';
import { Mailer } from '../../../src/accounts/mail';

/** What is answered to the greeting and to each line after it. */
const RIGHT = ['220 mail\r\n', '250 mail\r\n', '250 ok\r\n', '250 ok\r\n', '354 go on\r\n', '250 ok\r\n'];

const WORDS: Readonly<Record<string, string>> = {
  nothing: '',
  'what is no SMTP': '\0\xff\x01 no SMTP\r\n'.repeat(1_000),
  'a line without end': `250-${'x'.repeat(8 * 1024 * 1024)}`,
  'many lines': '250-any\r\n'.repeat(100_000),
  'half of an answer': '25',
  'many answers': '250 ok\r\n'.repeat(10_000),
  'that it has no room': '421 no\r\n',
};

const ENDS: Readonly<Record<string, (socket: Socket) => void>> = {
  'closes the connection': (socket) => socket.end(),
  'resets the connection': (socket) => socket.resetAndDestroy(),
};

/** Speaks first, and in turn with who connects, up to a step; then it says something else, and ends. */
function serverThat(step: number, words: string, end: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    let said = 0;
    const speak = (): void => {
      if (said > step) return;
      if (said === step) socket.write(words, 'latin1', () => end(socket));
      else socket.write(RIGHT[said] ?? '');
      said++;
    };
    socket.on('error', () => undefined).on('data', speak);
    speak();
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** A throw in an event of a socket fails the test that runs: nobody can catch it. */
describe.each(Object.entries(WORDS))('a mail server that says %s', (_what, words) => {
  it.each(Object.entries(ENDS))('and %s, ends nobody else, whenever it does', async (_how, end) => {
    const outcomes = await Promise.all(
      RIGHT.map(async (_, step) => {
        const server = await serverThat(step, words, end);
        const { port } = server.address() as AddressInfo;
        const mailer = new Mailer(
          readSettings({
            ...{ SMTP_URL: `smtp://127.0.0.1:${port}?connectionTimeout=2000`, MAIL_FROM: 'a@acme.example' },
            LOG_LEVEL: 'silent',
          }),
        );
        const { kind } = await mailer.send({
          to: 'a@b.example',
          subject: 'S',
          text: 'T',
          html: 'T',
          id: '1',
        });
        mailer.onApplicationShutdown();
        server.close();
        return kind;
      }),
    );
    for (const kind of outcomes) expect(['sent', 'delayed', 'refused']).toContain(kind);
  });
});
