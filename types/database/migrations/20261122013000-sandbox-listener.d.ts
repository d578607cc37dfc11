import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
/** Whose listener the key of a sandbox may be sent to; null until it is started or found again. */
export declare class SandboxListener20261122013000 implements CompatibleMigration {
    /** Earlier builds leave the column as it is. */
    readonly oldestBuild = 20261121164000;
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
