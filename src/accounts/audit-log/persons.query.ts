import { Statement } from '../../kernel/database';

/** By hand: joins two tables by an index of the second. Where rows of the log with a personal part of a user ($1) are, and were logged since a time ($2). */
export const PLACES_OF_USER = new Statement<{ readonly org_id: string | null; readonly position: string }>(
  `SELECT l.org_id, l.position FROM audit_personal p JOIN audit_log l ON l.position = p.position
    WHERE p.user_id = $1 AND l.at > $2`,
);

/** By hand, as what it belongs to is: deletes what rows of the log say of a user ($1). */
export const DELETE_PERSONAL = new Statement<{ readonly position: string }>(
  'DELETE FROM audit_personal WHERE user_id = $1 RETURNING position',
);
