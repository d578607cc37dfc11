import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
/**
 * How many requests each key, sandbox and address made in the current minute. Not logged: after a crash of the
 * database counting begins anew. `fillfactor` leaves room to update rows in place.
 */
export declare class RequestCounts20261122011000 implements CompatibleMigration {
    readonly oldestBuild = 20261121164000;
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
