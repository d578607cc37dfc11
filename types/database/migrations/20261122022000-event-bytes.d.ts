import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
/**
 * Counts the bytes of events: of a conversation in its log, which is locked and written with every batch anyway, and
 * of an organization in 16 parts by conversation, so that calls for different conversations seldom wait for each
 * other. Events are deleted with their log only.
 */
export declare class EventBytes20261122022000 implements CompatibleMigration {
    readonly oldestBuild = 20261121164000;
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
