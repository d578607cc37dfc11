import { type SqlRunner } from '../../database';
/**
 * Ends the least recently used sessions of a key beyond a limit. By hand: TypeORM cannot delete in an order. Concurrent
 * sign-ins may exceed the limit by a few, until the next one.
 */
export declare function deleteSurplusSessions(database: SqlRunner, apiKeyId: number, most: number): Promise<void>;
