import { type SqlRunner, Statement } from '../../../kernel/database';
import type { Seal } from '../seals/seal';
import type { StoredRow } from './stored-row';

/**
 * What is behind a position ($2) of one chain: of an organization ($1), or of the installation, where it is null. With `=` the planner
 * may walk the index of positions instead, through all rows of the others.
 */
const behindIn = (orgId: string | null): string =>
  orgId === null
    ? '$1::uuid IS NULL AND org_id IS NULL AND position > $2'
    : '(org_id, position) > ($1, $2) AND org_id <= $1';

/** By hand: rows behind a position ($2), at most so many ($3), with what of them is personal. */
const ROWS = (orgId: string | null) =>
  new Statement<StoredRow>(
    `SELECT l.position, l.org_id, l.id, l.at, l.actor_kind, l.actor_user_id, l.action, l.target_type, l.target_id, l.outcome,
            l.entry, l.hash, p.user_id AS personal_user_id, p.personal, p.salt
       FROM (SELECT * FROM audit_log WHERE ${behindIn(orgId)}
              ORDER BY org_id, position LIMIT $3::int) l
       LEFT JOIN audit_personal p ON p.position = l.position
      ORDER BY l.position`,
  );

/** By hand: seals behind a position ($2), at most so many ($3). */
const SEALS = (orgId: string | null) =>
  new Statement<Seal>(
    `SELECT id, org_id, first_position, position, rows, hash, mac, key_id, sealed_at, removed_at FROM audit_seals
      WHERE ${behindIn(orgId)} ORDER BY org_id, position LIMIT $3::int`,
  );

const OF_ORGANIZATION = { rows: ROWS(''), seals: SEALS('') };
const OF_INSTALLATION = { rows: ROWS(null), seals: SEALS(null) };

/** Which part of a chain is read. */
export interface Part {
  /** Null for the installation. */
  readonly orgId: string | null;
  /** The position behind which it begins. */
  readonly after: string;
  readonly most: number;
}

/** Rows of a chain, in their order. */
export function rowsIn(runner: SqlRunner, { orgId, after, most }: Part): Promise<StoredRow[]> {
  return (orgId === null ? OF_INSTALLATION : OF_ORGANIZATION).rows.rows(runner, [orgId, after, most]);
}

/** Seals of a chain, in their order. */
export function sealsIn(runner: SqlRunner, { orgId, after, most }: Part): Promise<Seal[]> {
  return (orgId === null ? OF_INSTALLATION : OF_ORGANIZATION).seals.rows(runner, [orgId, after, most]);
}

/** By hand: the organizations that have a chain behind one ($1), at most so many ($2), from one to the next by the index. */
export const CHAINS = new Statement<{ readonly org_id: string }>(
  `WITH RECURSIVE chains (org_id, n) AS (
     SELECT $1::uuid, 0
     UNION ALL
     SELECT least((SELECT l.org_id FROM audit_log l WHERE l.org_id > c.org_id ORDER BY l.org_id LIMIT 1),
                  (SELECT s.org_id FROM audit_seals s WHERE s.org_id > c.org_id ORDER BY s.org_id LIMIT 1)), n + 1
       FROM chains c WHERE c.org_id IS NOT NULL AND n < $2::int
   )
   SELECT org_id FROM chains WHERE n > 0 AND org_id IS NOT NULL ORDER BY org_id`,
);
