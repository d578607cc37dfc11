import { Writable } from 'node:stream';
import { DatabaseError } from 'pg';
import { pino } from 'pino';
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
  pino(loggingOptions('info'), stream).error({ err: error }, 'It failed');
  return text;
}

/** An error as PostgreSQL reports it. */
function reported(message: string, fields: Partial<DatabaseError>): DatabaseError {
  return Object.assign(new DatabaseError(message, 0, 'error'), fields);
}

describe('the log', () => {
  it('has an event in one line, whatever a reader takes for the end of one', () => {
    const text = logged(new Error('one\u2028two\u2029three\u0085four\nfive'));
    expect(text.slice(0, -1)).not.toMatch(/[\n\r\u0085\u2028\u2029]/);
    const { err } = JSON.parse(text) as { err: { message: string } };
    expect(err.message).toBe('one\u2028two\u2029three\u0085four\nfive');
  });

  it('has the sentence and stack of a failed statement, never its parameters', () => {
    const cause = reported('duplicate key value violates unique constraint "users_email_key"', {
      code: '23505',
      detail: 'Key (email)=(a@b.c) already exists.',
      constraint: 'users_email_key',
      table: 'users',
    });
    const error = new QueryFailedError('INSERT INTO t VALUES ($1)', ['what somebody wrote'], cause);
    for (const text of [logged(error), logged(cause), logged(new Error('It broke', { cause: error }))]) {
      expect(text).toContain('duplicate key value');
      expect(text).toContain('"constraint":"users_email_key"');
      expect(text).toContain('"table":"users"');
      expect(text).toContain('"code":"23505"');
      expect(text).toContain('logging.spec.ts');
      expect(text).not.toMatch(/what somebody wrote|a@b\.c/);
    }
  });

  it.each([
    'invalid input syntax for type uuid: "what somebody wrote"',
    'invalid input syntax for type json: "quotes " and\n    at lines (what somebody wrote)"',
    'value "what somebody wrote" is out of range for type integer',
  ])('cuts values out of the sentence %j', (message) => {
    const cause = reported(message, {
      code: '22P02',
      routine: 'string_to_uuid',
      where: 'what somebody wrote',
    });
    for (const error of [cause, new QueryFailedError('SELECT $1', [], cause)]) {
      const text = logged(error);
      expect(text).toContain('\\"…\\"');
      expect(text).toContain('"routine":"string_to_uuid"');
      expect(text).not.toContain('somebody');
    }
  });

  it('names what a wrong statement asks for', () => {
    const cause = reported('column "colour" does not exist', { code: '42703' });
    expect(logged(new QueryFailedError('SELECT colour', [], cause))).toContain('colour');
  });

  it('has the cause of an error', () => {
    expect(logged(new Error('outer', { cause: new Error('inner') }))).toContain('inner');
  });
});
