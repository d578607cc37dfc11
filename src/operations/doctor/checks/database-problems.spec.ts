import type { DatabaseReport } from '../../../kernel/database';
import { problemsOf } from './database';

const FINE: DatabaseReport = {
  version: '17.1',
  isReadOnly: false,
  hasTrigrams: true,
  mayMigrate: true,
  freeConnections: 90,
  latencyMs: 1,
  clockAheadMs: 12,
};

describe('what a server says of itself', () => {
  it('is fine', () => {
    expect(problemsOf(FINE).map(({ state }) => state)).toEqual(['ok', 'ok']);
  });

  it.each([
    ['no pg_trgm', { hasTrigrams: false }, 'fail', /does not have the extension pg_trgm/],
    ['far away', { latencyMs: 45.4 }, 'warn', /takes 45 ms for a small statement/],
    [
      'a clock that is ahead',
      { clockAheadMs: 61_000 },
      'warn',
      /clock of the database is 61\.0 s ahead of this/,
    ],
    [
      'a clock that is behind',
      { clockAheadMs: -2_500 },
      'warn',
      /clock of the database is 2\.5 s behind this/,
    ],
  ])('is not with %s', (_, fields, state, sentence) => {
    const found = problemsOf({ ...FINE, ...fields }).filter((finding) => finding.state !== 'ok');
    expect(found).toMatchObject([{ state, says: expect.stringMatching(sentence) as string }]);
  });
});
