import { DataSource } from 'typeorm';
import { CredentialVerifiers } from '../../auth';
import { Accounts } from '../../orgs';
import { KeyIssuer } from './key-issuer';
import { type KeyUserRow } from './key-user.read-model';
/**
 * Credentials that extensions recognize. For each user and verifier there is one key that nobody can send, made when it is
 * first needed: open connections, limits and the list of keys go by it, as for all other keys.
 */
export declare class ExternalKeys {
    private readonly database;
    private readonly verifiers;
    private readonly accounts;
    private readonly issuer;
    constructor(database: DataSource, verifiers: CredentialVerifiers, accounts: Accounts, issuer: KeyIssuer);
    /** The key that stands for a credential, with its end; null where no verifier knows it, or no user has the address. */
    find(credential: string): Promise<KeyUserRow | null>;
    private keyFor;
}
