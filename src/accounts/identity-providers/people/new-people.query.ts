import { type ColumnsOf, queryRow, type SqlRunner } from '../../../kernel/database';
import type { NewPeopleOfHour } from '../record/new-people.entity';

/**
 * Counts one more person who comes into an organization for the first time, in an hour that begins with the first of them. By hand: of
 * concurrent ones each is counted.
 */
export async function countNewPerson(
  transaction: SqlRunner,
  orgId: string,
  now: Date,
): Promise<ColumnsOf<NewPeopleOfHour, 'people' | 'since'>> {
  const row = await queryRow<ColumnsOf<NewPeopleOfHour, 'people' | 'since'>>(
    transaction,
    `INSERT INTO new_people AS n (org_id, since, people) VALUES ($1, $2, 1)
     ON CONFLICT (org_id) DO UPDATE SET
       people = CASE WHEN n.since > excluded.since - interval '1 hour' THEN n.people + 1 ELSE 1 END,
       since = CASE WHEN n.since > excluded.since - interval '1 hour' THEN n.since ELSE excluded.since END
     RETURNING people, since`,
    [orgId, now],
  );
  if (row === null) throw new Error('A statement that writes a row answers it.');
  return row;
}
