import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
/** Credentials of users and organizations for git repositories. */
export declare class GitCredentials20261122050300 implements CompatibleMigration {
    readonly oldestBuild = 20261121164000;
    up(runner: QueryRunner): Promise<void>;
    down(runner: QueryRunner): Promise<void>;
}
