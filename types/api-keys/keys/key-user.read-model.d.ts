import { type ColumnsOf, type SqlRunner } from '../../database';
import type { ApiKey } from './api-key.entity';
/** A key with its user, who belongs to the module of organizations. */
export interface KeyUserRow extends ColumnsOf<ApiKey, 'id' | 'userId' | 'orgId' | 'notBefore' | 'expiresAt'> {
    readonly email: string;
    readonly name: string | null;
    readonly confined_to_org_id: string | null;
    readonly current_org_id: string | null;
}
/**
 * The key with a digest and its user, unless the user is disabled. By hand: requests wait for it whenever the cache has
 * expired, so it is one statement and builds no entities.
 */
export declare function selectKeyUser(database: SqlRunner, digest: string): Promise<KeyUserRow | null>;
/** {@link selectKeyUser} for many keys by id: one statement checks the keys of all open connections. */
export declare function selectKeyUsers(database: SqlRunner, ids: readonly number[]): Promise<KeyUserRow[]>;
