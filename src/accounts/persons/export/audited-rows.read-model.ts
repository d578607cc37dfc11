import { Statement } from '../../../kernel/database';

/** A row of the audit log about a person. */
export interface AuditedRow {
  readonly position: string;
  readonly entry: string;
  readonly personal: string | null;
}

/**
 * The rows about a user ($1), in an organization ($2) or all, after a position ($3), at most so many ($4). By hand: the log and what
 * of it is personal belong to the module of the log, and are read together. What is personal of a row is of who did it.
 */
export const AUDITED_ROWS = new Statement<AuditedRow>(
  `SELECT l.position, l.entry, p.personal
     FROM ((SELECT a.position FROM audit_personal a JOIN audit_log own ON own.position = a.position
             WHERE a.user_id = $1 AND a.position > $3 AND ($2::uuid IS NULL OR own.org_id = $2)
             ORDER BY a.position LIMIT $4)
           UNION
           SELECT t.position FROM organizations o CROSS JOIN LATERAL (
             SELECT r.position FROM audit_log r
              WHERE r.org_id = o.id AND r.target_id = $1::text AND r.target_type = 'user' AND r.position > $3
              ORDER BY r.position LIMIT $4) t
            WHERE $2::uuid IS NULL OR o.id = $2) found
     JOIN audit_log l ON l.position = found.position
     LEFT JOIN audit_personal p ON p.position = l.position AND p.user_id = $1
    WHERE $2::uuid IS NULL OR l.org_id = $2
    ORDER BY l.position LIMIT $4`,
);
