import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
/**
 * What a key that is bound to an organization changes stays in it: queues of conversations to come belong to an
 * organization, settings of users may be saved for one, and keys bound to one end with the membership.
 */
export declare class BoundKeys20261122010100 implements CompatibleMigration {
    readonly oldestBuild = 20261121164000;
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
