import { type ColumnsOf, queryRow, type SqlRunner } from '../../../kernel/database';
import type { NewPeopleOfHour } from '../record/new-people.entity';

/** How many there are, with the person who was counted. */
interface Counted extends ColumnsOf<NewPeopleOfHour, 'people'> {
  /** Until counting begins anew. */
  readonly wait_seconds: number;
}

/**
 * Counts one more person who comes into an organization for the first time, in an hour that begins with the first of them; nobody,
 * where the transaction is rolled back. By hand: of concurrent ones each is counted.
 */
export async function countNewPerson(transaction: SqlRunner, orgId: string): Promise<Counted> {
  const row = await queryRow<Counted>(
    transaction,
    `INSERT INTO new_people AS n (org_id, since, people) VALUES ($1, now(), 1)
     ON CONFLICT (org_id) DO UPDATE SET
       people = CASE WHEN n.since > now() - interval '1 hour' THEN n.people + 1 ELSE 1 END,
       since = CASE WHEN n.since > now() - interval '1 hour' THEN n.since ELSE now() END
     RETURNING people, ceil(extract(epoch FROM since + interval '1 hour' - now()))::int AS wait_seconds`,
    [orgId],
  );
  if (row === null) throw new Error('A statement that writes a row answers it.');
  return row;
}
