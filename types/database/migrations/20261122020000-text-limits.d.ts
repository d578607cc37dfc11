import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
/**
 * Limits of every text that is stored. What is there already is cut, and not checked again: that would read every
 * row under a lock.
 */
export declare class TextLimits20261122020000 implements CompatibleMigration {
    readonly oldestBuild = 20261121164000;
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
