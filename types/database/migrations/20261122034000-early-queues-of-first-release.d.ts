import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
/**
 * Early queues that a replica of the first release makes belong to an organization too, as 20261122010100 did with
 * those it found: to one, so that messages for one id never wait in two queues. Goes when that release is shut out.
 */
export declare class EarlyQueuesOfFirstRelease20261122034000 implements CompatibleMigration {
    readonly oldestBuild = 20261121164000;
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
