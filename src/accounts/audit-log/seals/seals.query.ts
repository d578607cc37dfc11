import type { EntityManager } from 'typeorm';
import { Statement } from '../../../kernel/database';
import type { Seal } from './seal';

/** The most rows of one span: retention removes it at once. */
export const MOST_ROWS = 20_000;

/** What is behind the last seal of a chain. */
export interface UnsealedSpan {
  readonly org_id: string | null;
  readonly first_position: string;
  readonly position: string;
  readonly rows: number;
  readonly hash: Buffer;
  /** The hash of the last seal; null where there is none. */
  readonly before: Buffer | null;
  readonly now: Date;
}

const SEAL = `s.id, s.org_id, s.first_position, s.position, s.rows, s.hash, s.mac, s.key_id, s.sealed_at, s.removed_at`;

/**
 * What of a chain is behind its last seal.
 * @param chain what chooses its seals
 * @param behind what chooses its rows behind a position
 */
const unsealedOf = (chain: string, behind: (position: string) => string): string => `
  LEFT JOIN LATERAL (SELECT position, hash FROM audit_seals
                      WHERE ${chain} ORDER BY org_id DESC, position DESC LIMIT 1) s ON true
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS rows, min(position) AS first_position, max(position) AS position
      FROM (SELECT position FROM audit_log
             WHERE ${behind('coalesce(s.position, 0)')} ORDER BY org_id, position LIMIT ${MOST_ROWS}) l) u
  JOIN audit_log head ON head.position = u.position`;

const SPAN = `u.first_position, u.position, u.rows, head.hash, s.hash AS before, clock_timestamp()::timestamptz(3) AS now`;

/** With `=` the planner may walk the index of positions instead, through what is of others. */
const OF_ORG = 'org_id >= o.org_id AND org_id <= o.org_id';

/** By hand: from one organization to the next by the index, however many rows each has. */
export const UNSEALED = new Statement<UnsealedSpan>(
  `WITH RECURSIVE orgs (org_id) AS (
     (SELECT org_id FROM audit_log WHERE org_id IS NOT NULL ORDER BY org_id LIMIT 1)
     UNION ALL
     SELECT (SELECT l.org_id FROM audit_log l WHERE l.org_id > o.org_id ORDER BY l.org_id LIMIT 1)
       FROM orgs o WHERE o.org_id IS NOT NULL
   )
   SELECT o.org_id, ${SPAN} FROM orgs o ${unsealedOf(OF_ORG, (position) => `(org_id, position) > (o.org_id, ${position}) AND org_id <= o.org_id`)}
   UNION ALL
   SELECT NULL, ${SPAN} FROM (SELECT) i ${unsealedOf('org_id IS NULL', (position) => `org_id IS NULL AND position > ${position}`)}`,
);

/** By hand: many at once. */
const ADD_SEALS = new Statement<{ readonly id: string }>(
  `INSERT INTO audit_seals (org_id, first_position, position, rows, hash, sealed_at, mac, key_id)
   SELECT s.*, $8 FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::int[], $5::bytea[], $6::timestamptz[],
                              $7::bytea[]) AS s
   RETURNING id`,
);

/** Adds seals, whose macs are by the key of an id. */
export async function addSeals(
  transaction: EntityManager,
  seals: readonly Omit<Seal, 'id' | 'key_id' | 'removed_at'>[],
  keyId: string,
): Promise<void> {
  await ADD_SEALS.rows(transaction, [
    seals.map(({ org_id }) => org_id),
    seals.map(({ first_position }) => first_position),
    seals.map(({ position }) => position),
    seals.map(({ rows }) => rows),
    seals.map(({ hash }) => hash),
    seals.map(({ sealed_at }) => sealed_at),
    seals.map(({ mac }) => mac),
    keyId,
  ]);
}

/** A seal, and the hash of the one before it in its chain; null for the first. */
export type SealAndBefore = Seal & { readonly before: Buffer | null };

const BEFORE = `
  LEFT JOIN LATERAL (
    SELECT hash FROM (
      (SELECT b.hash, b.position FROM audit_seals b WHERE b.org_id = s.org_id AND b.position < s.position
        ORDER BY b.position DESC LIMIT 1)
      UNION ALL
      (SELECT b.hash, b.position FROM audit_seals b
        WHERE s.org_id IS NULL AND b.org_id IS NULL AND b.position < s.position
        ORDER BY b.org_id DESC, b.position DESC LIMIT 1)) either LIMIT 1) b ON true`;

/**
 * By hand: seals whose spans are there, older than so many days ($1), behind an id ($2), at most so many ($3) with at most so many
 * rows ($4), one at least.
 */
export const OLD_SEALS = new Statement<SealAndBefore>(
  `SELECT ${SEAL}, b.hash AS before
     FROM (SELECT *, sum(rows) OVER (ORDER BY id) - rows AS earlier
             FROM (SELECT * FROM audit_seals
                    WHERE removed_at IS NULL AND id > $2::bigint
                      AND sealed_at < now() - make_interval(days => $1::int)
                    ORDER BY id LIMIT $3::int) kept) s ${BEFORE}
    WHERE s.earlier < $4::int ORDER BY s.id`,
);

/** By hand: calls a function. Removes the spans of seals ($1) whose rows are all older than so many days ($2). */
export const REMOVE_SPANS = new Statement<{
  readonly seal: string;
  readonly org: string | null;
  readonly removed: number;
}>('SELECT seal, org, removed FROM audit_remove_spans($1::bigint[], $2::int)');

/** By hand: seals by other keys than one ($1), behind an id ($2), at most so many ($3). */
export const SEALS_BY_OTHER_KEYS = new Statement<SealAndBefore>(
  `SELECT ${SEAL}, b.hash AS before
     FROM (SELECT * FROM audit_seals WHERE id > $2::bigint AND key_id <> $1 ORDER BY id LIMIT $3::int) s ${BEFORE}
    ORDER BY s.id`,
);

/** By hand: calls a function. Gives seals ($1) with a mac ($2) another one ($3), by a key ($4). */
export const RESEAL = new Statement<{ readonly count: number }>(
  'SELECT audit_reseal($1::bigint[], $2::bytea[], $3::bytea[], $4) AS count',
);

/** By hand: how many seals each key has made. */
export const SEALS_BY_KEY = new Statement<{ readonly key_id: string; readonly count: number }>(
  'SELECT key_id, count(*)::int AS count FROM audit_seals GROUP BY key_id',
);
