import { type ColumnsOf, queryRows, type SqlRunner } from '../../../kernel/database';
import type { BrowserSession } from './browser-session.entity';

/** A session of a member, with who that is. */
export interface OrgSessionRow extends ColumnsOf<
  BrowserSession,
  'id' | 'apiKeyId' | 'userAgent' | 'createdAt' | 'lastUsedAt' | 'credentialExpiresAt'
> {
  readonly user_id: string;
  readonly email: string;
  readonly name: string | null;
  readonly bound: boolean;
}

/** Which sessions of an organization to read. */
interface WantedSessions {
  readonly orgId: string;
  readonly now: Date;
  /** Those used last before this have ended. */
  readonly oldestUse: Date;
  /** Null for those of all members. */
  readonly userId: string | null;
  /** Null for all. */
  readonly id: number | null;
  /** The id of the first session of the page; null for the newest. */
  readonly from: number | null;
  readonly limit: number;
}

/**
 * Sessions in which members reach an organization, newest first. By hand: session, key, member and user in one statement,
 * without entities.
 */
export function selectOrgSessions(
  database: SqlRunner,
  { orgId, now, oldestUse, userId, id, from, limit }: WantedSessions,
): Promise<OrgSessionRow[]> {
  return queryRows(
    database,
    `SELECT s.id, s.api_key_id, s.user_agent, s.created_at, s.last_used_at, s.credential_expires_at,
            k.user_id, u.email, u.name, k.org_id IS NOT NULL AS bound
       FROM org_members m
       JOIN users u ON u.id = m.user_id
       JOIN api_keys k ON k.user_id = m.user_id
       JOIN browser_sessions s ON s.api_key_id = k.id
      WHERE m.org_id = $1 AND (k.org_id IS NULL OR k.org_id = $1)
        AND s.last_used_at > $3 AND (s.credential_expires_at IS NULL OR s.credential_expires_at > $2)
        AND (k.expires_at IS NULL OR k.expires_at > $2)
        AND ($4::uuid IS NULL OR m.user_id = $4) AND ($5::integer IS NULL OR s.id = $5)
        AND ($6::integer IS NULL OR s.id <= $6)
      ORDER BY s.id DESC LIMIT $7`,
    [orgId, now, oldestUse, userId, id, from, limit],
  );
}
