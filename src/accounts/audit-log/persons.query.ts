import { Statement } from '../../kernel/database';

/** A row of the log with a personal part. */
interface PlaceOfUser {
  readonly org_id: string | null;
  readonly position: string;
  /** Whether it may be logged as a domain event, too. */
  readonly is_logged: boolean;
}

/**
 * By hand: joins two tables by an index of the second. Where rows of the log with a personal part of a user ($1) are, the first so many
 * ($3), and whether they were logged since a time ($2).
 */
export const PLACES_OF_USER = new Statement<PlaceOfUser>(
  `SELECT l.org_id, l.position, l.at > $2 AS is_logged
     FROM audit_personal p JOIN audit_log l ON l.position = p.position
    WHERE p.user_id = $1 ORDER BY p.position LIMIT $3`,
);

/** By hand, as what it belongs to is: deletes the personal parts of rows of the log at positions ($1). */
export const DELETE_PERSONAL = new Statement<{ readonly position: string }>(
  'DELETE FROM audit_personal WHERE position = ANY ($1::bigint[]) RETURNING position',
);
