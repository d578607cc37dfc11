import { type ColumnsOf, queryRows, type SqlRunner } from '../../../kernel/database';
import type { ApiKey } from './api-key.entity';

/** A key as operators see it, without its text. */
export interface ListedKey extends ColumnsOf<
  ApiKey,
  'id' | 'orgId' | 'name' | 'prefix' | 'createdAt' | 'lastUsedAt' | 'expiresAt'
> {
  /** The address of its user, which belongs to the module of organizations; null for a service account. */
  readonly email: string | null;
}

/** All keys, the oldest first. By hand: each comes with the address of its user, whose table is another module's. */
export function listKeys(database: SqlRunner): Promise<ListedKey[]> {
  return queryRows(
    database,
    `SELECT k.id, u.email, k.org_id, k.name, k.prefix, k.created_at, k.last_used_at, k.expires_at
       FROM api_keys k
       JOIN users u ON u.id = k.user_id
      ORDER BY k.id`,
  );
}
