import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
/**
 * How queued messages go to an agent that runs. Replicas of older releases do not know of modes: while they deliver
 * too, a message may go to a running agent although it should have waited.
 */
export declare class MessageModes20261122150200 implements CompatibleMigration {
    readonly oldestBuild = 20261121164000;
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
