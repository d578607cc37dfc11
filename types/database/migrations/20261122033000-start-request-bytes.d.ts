import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
/**
 * The size of each new start task's request, which the database knows of a `jsonb` only after making it a text. Tasks that
 * are there already have none: theirs is computed when they are listed.
 */
export declare class StartRequestBytes20261122033000 implements CompatibleMigration {
    /** Earlier builds leave the column to the trigger. */
    readonly oldestBuild = 20261121164000;
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
