import { type ColumnsOf, queryRow, queryRows, type SqlRunner } from '../../../kernel/database';
import type { ApiKey } from './api-key.entity';

/** A key with its user, who belongs to the module of organizations. */
export interface KeyUserRow extends ColumnsOf<
  ApiKey,
  | 'id'
  | 'userId'
  | 'orgId'
  | 'prefix'
  | 'createdAt'
  | 'notBefore'
  | 'expiresAt'
  | 'isOfService'
  | 'letInByUserId'
  | 'madeByUserId'
  | 'identityProviderId'
  | 'scopes'
  | 'addressRanges'
> {
  readonly key_name: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly confined_to_org_id: string | null;
  readonly current_org_id: string | null;
}

/** What of a key does not depend on how it was sent. */
export const KEY_FACTS =
  'k.prefix, k.created_at, k.is_of_service, k.let_in_by_user_id, k.made_by_user_id, k.identity_provider_id, k.scopes, k.address_ranges';

const KEYS_OF_ACTIVE_USERS = `
  SELECT k.id, k.name AS key_name, k.user_id, u.email, u.name, k.org_id, u.confined_to_org_id, u.current_org_id,
         k.not_before, k.expires_at, ${KEY_FACTS}
    FROM api_keys k
    JOIN users u ON u.id = k.user_id
    LEFT JOIN users maker ON maker.id = k.let_in_by_user_id
   WHERE u.disabled_at IS NULL AND maker.disabled_at IS NULL
     AND (k.made_by_user_id IS NULL OR EXISTS (
           SELECT FROM org_members m JOIN users p ON p.id = m.user_id
            WHERE m.org_id = k.org_id AND m.user_id = k.made_by_user_id AND p.disabled_at IS NULL))`;

/**
 * The key with a digest and its user, unless the user is disabled, or the administrator who let them in, or who made the key of a service account is no member. By hand: requests wait for it whenever the cache has
 * expired, so it is one statement and builds no entities.
 */
export function selectKeyUser(database: SqlRunner, digest: string): Promise<KeyUserRow | null> {
  return queryRow(database, `${KEYS_OF_ACTIVE_USERS} AND k.digest = $1`, [digest]);
}

/** {@link selectKeyUser} for many keys by id: one statement checks the keys of all open connections. */
export function selectKeyUsers(database: SqlRunner, ids: readonly number[]): Promise<KeyUserRow[]> {
  return queryRows(database, `${KEYS_OF_ACTIVE_USERS} AND k.id = ANY ($1)`, [ids]);
}
