import { Writable } from 'node:stream';
import { pinoHttp } from 'pino-http';
import { QueryFailedError } from 'typeorm';
import { loggingOptions } from './logging';

/** What the service's logger writes of an error. */
function logged(error: Error): string {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const { pinoHttp: options } = loggingOptions('info');
  if (options === undefined || Array.isArray(options) || 'write' in options)
    throw new Error('Options are expected.');
  pinoHttp(options, stream).logger.error({ err: error }, 'It failed');
  return text;
}

describe('the log', () => {
  it('has the sentence and stack of a failed statement, never its parameters', () => {
    const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(a@b.c)' });
    const text = logged(new QueryFailedError('INSERT INTO t VALUES ($1)', ['what somebody wrote'], cause));
    expect(text).toContain('duplicate key');
    expect(text).toContain('QueryFailedError');
    expect(text).not.toContain('what somebody wrote');
    expect(text).not.toContain('a@b.c');
  });

  it('has the cause of an error', () => {
    expect(logged(new Error('outer', { cause: new Error('inner') }))).toContain('inner');
  });
});
