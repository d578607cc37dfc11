import { pino } from 'pino';
import { terminalLines } from './terminal-lines';

/** What a terminal shows of what is logged. */
function shown(fields: object, message: string): string {
  const format = terminalLines(false);
  let text = '';
  pino({ base: { context: 'Service' } }, { write: (line) => void (text += format(line)) }).info(
    fields,
    message,
  );
  return text;
}

describe('the log on a terminal', () => {
  it('has one line for a message, with what belongs to it', () => {
    expect(shown({ port: 3000 }, 'It listens.')).toMatch(
      /^\[\d\d:\d\d:\d\d\] INFO: It listens\. {"port":3000}\n$/,
    );
  });

  it('tells of a request what was asked for, and how it ended', () => {
    const request = { req: { method: 'GET', path: '/a' }, res: { status: 503 }, responseTime: 7, user: 'u' };
    expect(shown(request, 'request completed')).toMatch(/INFO: GET \/a 503 in 7 ms\n$/);
    expect(shown(request, 'request aborted')).toMatch(/INFO: GET \/a 503 in 7 ms: request aborted\n$/);
  });

  it('has the stack of an error', () => {
    expect(shown({ err: new Error('It broke') }, 'It failed')).toMatch(
      /It failed[^]*It broke[^]*terminal-lines\.spec/,
    );
  });

  it('lets nobody write to the terminal: control characters are replaced', () => {
    const line = shown({ field: '\u001b]0;title\u0007' }, 'one\u001b[2Jtwo\u009b31m\rthree');
    expect(line).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(line).toContain('one\uFFFD[2Jtwo\uFFFD31m\uFFFDthree');
  });
});
