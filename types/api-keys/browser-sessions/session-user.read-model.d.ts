import { type SqlRunner } from '../../database';
import type { KeyUserRow } from '../keys/key-user.read-model';
/** A session with its key, and the key's user, who belongs to the module of organizations. */
export interface SessionUserRow extends KeyUserRow {
    readonly session_id: number;
    readonly last_used_at: Date;
}
/**
 * The session of a digest, unless it was last used before a time or its user is disabled. By hand: requests of browsers
 * wait for it whenever what is cached has expired, so it is one statement and builds no entities.
 */
export declare function selectSessionUser(database: SqlRunner, digest: string, oldestUse: Date): Promise<SessionUserRow | null>;
