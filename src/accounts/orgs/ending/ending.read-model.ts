import { queryRow, type SqlRunner } from '../../../kernel/database';

/** What is left of an organization that is being deleted. */
export interface EndingRow {
  readonly name: string;
  /** Null of one that nobody deletes. */
  readonly ending_at: Date | null;
  /** Those that are not deleted yet. */
  readonly sandboxes: number;
  readonly conversations: number;
}

/** An organization; null where there is none. By hand: what is left of it is counted in the tables of others. */
export function selectEnding(database: SqlRunner, orgId: string): Promise<EndingRow | null> {
  return queryRow(
    database,
    `SELECT o.name, o.ending_at,
            (SELECT count(*) FROM sandboxes s WHERE s.org_id = o.id AND s.status <> 'MISSING')::int AS sandboxes,
            (SELECT count(*) FROM conversations c WHERE c.org_id = o.id)::int AS conversations
       FROM organizations o WHERE o.id = $1`,
    [orgId],
  );
}
