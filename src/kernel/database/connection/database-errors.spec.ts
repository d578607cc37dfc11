import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { isDatabaseUnavailable, mayHaveCommitted, unavailableDetail } from './database-errors';

/** As the driver throws it, and as TypeORM passes it on. */
function errorsOf(code: string, message = 'a message of the server'): Error[] {
  const thrown = Object.assign(new Error(message), { code });
  return [thrown, new QueryFailedError('SELECT 1', [], thrown)];
}

describe('an error of the database', () => {
  it.each([
    ['the server shuts down, or ends the session', '57P01'],
    ['the server crashed', '57P02'],
    ['the server starts, or cannot accept connections yet', '57P03'],
    ['the session is read-only', '25006'],
    ['the session did nothing for too long within a transaction', '25P03'],
    ['a standby cancelled the statement for its recovery', '40001'],
    ['the statement waited for one that waited for it', '40P01'],
    ['the disk is full', '53100'],
    ['there are too many connections', '53300'],
    ['the connection failed', '08006'],
    ['nobody listens', 'ECONNREFUSED'],
  ])('means that it is unavailable: %s (%s)', (_, code) => {
    expect(errorsOf(code).map(isDatabaseUnavailable)).toEqual([true, true]);
  });

  it.each([
    ['a syntax error', '42601'],
    ['a broken constraint', '23505'],
    ['nothing of the database', ''],
  ])('does not mean that: %s (%s)', (_, code) => {
    expect(errorsOf(code).map(isDatabaseUnavailable)).toEqual([false, false]);
  });

  it('means that when somebody cancelled the statement, not when it took too long', () => {
    const cancelled = (reason: string): boolean[] =>
      errorsOf('57014', `canceling statement ${reason}`).map(isDatabaseUnavailable);
    expect(cancelled('due to user request')).toEqual([true, true]);
    expect(cancelled('due to statement timeout')).toEqual([false, false]);
  });

  it('means that when the connection broke between two statements, of which the second was not sent', () => {
    const gone = [new QueryRunnerAlreadyReleasedError(), new QueryRunnerProviderAlreadyReleasedError()];
    expect(gone.map(isDatabaseUnavailable)).toEqual([true, true]);
    expect(gone.map(mayHaveCommitted)).toEqual([false, false]);
  });

  it('tells callers what keeps the database from working', () => {
    const details = ['53100', '25006', '57P01'].map((code) => unavailableDetail(errorsOf(code)[1]));
    expect(details).toEqual([
      'The disk of the database is full.',
      'The database is read-only at the moment; try again shortly.',
      'The database cannot be reached at the moment; try again shortly.',
    ]);
  });

  it('leaves open whether the statement was executed where the connection was lost over it', () => {
    const lost = (code: string): boolean => errorsOf(code).every(mayHaveCommitted);
    expect(['57P01', '08006', 'ECONNRESET'].map(lost)).toEqual([true, true, true]);
    expect(['25006', '40001', '40P01', '53100', 'ECONNREFUSED'].map(lost)).toEqual(Array(5).fill(false));
  });
});
