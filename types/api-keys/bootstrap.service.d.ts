import { DataSource } from 'typeorm';
import { type Settings } from '../config';
import { Accounts } from '../orgs';
import { KeyIssuer } from './keys/key-issuer';
/** What the first start created. */
export interface Bootstrapped {
    readonly userId: string;
    readonly email: string;
    readonly orgId: string;
    readonly orgName: string;
    /** Shown once, never logged. */
    readonly key: string;
}
/** Creates the first user, organization and key of an empty installation (docs/contract.md#first-start). */
export declare class BootstrapService {
    private readonly database;
    private readonly accounts;
    private readonly keys;
    private readonly settings;
    constructor(database: DataSource, accounts: Accounts, keys: KeyIssuer, settings: Settings);
    /**
     * Does nothing if there is a user already. When several replicas start together, one does it.
     * @returns what was created, or null
     * @throws StartError if `BOOTSTRAP_KEY` is not a well-formed key
     */
    bootstrap(): Promise<Bootstrapped | null>;
}
