import { type ColumnsOf, queryRow, type SqlRunner } from '../../database';
import type { ApiKey } from './api-key.entity';

/** A key with its user, who belongs to the module of organizations. */
export interface KeyUserRow extends ColumnsOf<ApiKey, 'id' | 'userId' | 'orgId' | 'notBefore' | 'expiresAt'> {
  readonly email: string;
  readonly name: string | null;
  readonly confined_to_org_id: string | null;
  readonly current_org_id: string | null;
}

/**
 * The key of a digest and its user, unless they are disabled. By hand: requests wait for it whenever what is
 * cached of the key has expired, so it is one statement and builds no entities.
 */
export function selectKeyUser(database: SqlRunner, digest: string): Promise<KeyUserRow | null> {
  return queryRow(
    database,
    `SELECT k.id, k.user_id, u.email, u.name, k.org_id, u.confined_to_org_id, u.current_org_id,
            k.not_before, k.expires_at
       FROM api_keys k JOIN users u ON u.id = k.user_id
      WHERE k.digest = $1 AND u.disabled_at IS NULL`,
    [digest],
  );
}
