import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
/**
 * The log of domain events. What single statements change, message by message and batch by batch, is logged by
 * triggers: the statements stay single (docs/decisions/0036-log-of-domain-events.md).
 */
export declare class DomainEventLog20261122130000 implements CompatibleMigration {
    readonly oldestBuild = 20261121164000;
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
