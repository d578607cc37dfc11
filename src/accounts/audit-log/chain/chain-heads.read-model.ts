import { PreparedStatement } from '../../../kernel/database';

/** Where the chain of an organization, or of the installation, ends. */
interface HeadRow {
  /** Null for the installation. */
  readonly org_id: string | null;
  /** Null where the chain has had no row yet. */
  readonly position: string | null;
  readonly hash: Buffer | null;
}

/**
 * The last of an organization, by the index of organizations: with `=` the planner may walk that of positions instead, through all rows
 * of the others.
 */
const LAST = 'SELECT position, hash FROM';
const OF_ORG = 'org_id >= o.id AND org_id <= o.id';
const BY_INDEX = 'ORDER BY org_id DESC, position DESC LIMIT 1';

const SOME = 'SELECT id FROM organizations WHERE id = ANY ($1::uuid[])';

/**
 * Organizations that are there, and stay until the transaction has ended. One that is just being removed, which takes minutes where it
 * had a long log, is not waited for: everybody else's rows would wait with it.
 */
const LIVING = `(SELECT id FROM (${SOME} AND ending_at IS NULL ORDER BY id FOR KEY SHARE) living
     UNION ALL
     SELECT id FROM (${SOME} AND ending_at IS NOT NULL ORDER BY id FOR KEY SHARE SKIP LOCKED) ending)`;

/**
 * By hand: the last rows of many chains ($1) at once, by their index, of organizations that are there; and that of the installation.
 * Where retention has removed all rows, the last seal has what they ended with.
 */
export const CHAIN_HEADS = new PreparedStatement<HeadRow>(
  'audit-log-heads',
  `SELECT o.id AS org_id, coalesce(l.position, s.position) AS position, coalesce(l.hash, s.hash) AS hash
     FROM ${LIVING} o
     LEFT JOIN LATERAL (${LAST} audit_log WHERE ${OF_ORG} ${BY_INDEX}) l ON true
     LEFT JOIN LATERAL (${LAST} audit_seals WHERE ${OF_ORG} AND l.position IS NULL ${BY_INDEX}) s ON true
   UNION ALL
   SELECT NULL, coalesce(l.position, s.position), coalesce(l.hash, s.hash)
     FROM (SELECT) i
     LEFT JOIN LATERAL (${LAST} audit_log WHERE org_id IS NULL ${BY_INDEX}) l ON true
     LEFT JOIN LATERAL (${LAST} audit_seals WHERE org_id IS NULL AND l.position IS NULL ${BY_INDEX}) s ON true`,
);

/** By hand: the organizations of these ($1) that are there. */
export const LIVING_ORGANIZATIONS = new PreparedStatement<{ readonly id: string }>(
  'audit-log-organizations',
  `SELECT id FROM ${LIVING} o`,
);
