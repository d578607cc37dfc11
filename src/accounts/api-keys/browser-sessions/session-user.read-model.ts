import { queryRow, type SqlRunner } from '../../../kernel/database';
import { KEY_FACTS, type KeyUserRow } from '../keys/key-user.read-model';

/** A session with its key, which ends for it when what was sent ends, and the key's user, of the module of organizations. */
export interface SessionUserRow extends KeyUserRow {
  readonly session_id: number;
  /** When its person proved who they are. */
  readonly signed_in_at: Date;
  readonly last_used_at: Date;
}

/**
 * The session of a digest, unless it was last used before a time or its user is disabled, or the administrator who let
 * them in. By hand: requests of browsers
 * wait for it whenever what is cached has expired, so it is one statement and builds no entities.
 */
export function selectSessionUser(
  database: SqlRunner,
  digest: string,
  oldestUse: Date,
): Promise<SessionUserRow | null> {
  return queryRow(
    database,
    `SELECT s.id AS session_id, least(s.created_at, s.authenticated_at) AS signed_in_at,
            s.last_used_at,
            k.id, k.name AS key_name, k.user_id, u.email, u.name, k.org_id, u.confined_to_org_id, u.current_org_id,
            ${KEY_FACTS}, k.not_before, least(k.expires_at, s.credential_expires_at) AS expires_at
       FROM browser_sessions s
       JOIN api_keys k ON k.id = s.api_key_id
       JOIN users u ON u.id = k.user_id
       LEFT JOIN users maker ON maker.id = k.let_in_by_user_id
      WHERE s.digest = $1 AND s.last_used_at > $2 AND u.disabled_at IS NULL
        AND maker.disabled_at IS NULL`,
    [digest, oldestUse],
  );
}
