import { DataSource, type EntityManager } from 'typeorm';
import { type Settings } from '../../config';
/**
 * Which organization a driver that serves one organization serves (docs/contract.md#sandbox-drivers). Reads
 * `organizations`, named by hand because its entity belongs to another module.
 */
export declare class ExternalOrganization {
    private readonly settings;
    private readonly database;
    constructor(settings: Settings, database: DataSource);
    /** @param transaction the one in which a sandbox is made */
    serves(transaction: EntityManager, orgId: string): Promise<boolean>;
    /** Its id; `*` for all, null when there is none yet. The bootstrap makes the first one there is. */
    served(manager?: EntityManager): Promise<string | null>;
}
