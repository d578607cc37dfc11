import { DataSource } from 'typeorm';
import { KeyIssuer } from '../api-keys';
import { type SecretBox } from '../common';
import { type FailedListenerJob, FailedListenerJobs } from '../domain-events';
import { type Reencrypted } from './reencrypt-secrets';
import { Accounts } from '../orgs';
/**
 * What an operator does by hand (docs/contract.md#command-line). Replicas that run see it within a second.
 */
export declare class OperatorCommands {
    private readonly database;
    private readonly accounts;
    private readonly keys;
    private readonly failedListenerJobs;
    constructor(database: DataSource, accounts: Accounts, keys: KeyIssuer, failedListenerJobs: FailedListenerJobs);
    /** Creates an organization with an owner, and a key of theirs bound to it. */
    createOrg(name: string, ownerEmail: string, ownerName?: string, id?: string): Promise<{
        org_id: string;
        user_id: string;
        key: string;
    }>;
    /** Adds a member to an organization, and creates the user if there is none yet. */
    addMember(org: string, email: string, roleText: string, name?: string): Promise<{
        user_id: string;
        key: string;
    }>;
    /** Disables a user, which makes all their keys invalid. */
    disableUser(email: string): Promise<{
        user_id: string;
        disabled_at: string;
    }>;
    /** Issues a key to a user, bound to an organization of theirs or unbound. */
    issueKey(email: string, org?: string, expiresAt?: string): Promise<{
        id: number;
        key: string;
    }>;
    revokeKey(idText: string): Promise<{
        id: number;
        revoked: true;
    }>;
    /** Rebuilds the counters behind the totals of the organization lists. */
    rebuildCounters(): Promise<{
        conversations: number;
    }>;
    /** Jobs of listeners of domain events that have failed and not succeeded since: retried ones and dead ones. */
    listFailedListenerJobs(): Promise<{
        items: FailedListenerJob[];
    }>;
    /** Moves everything sealed to the current key. */
    reencryptSecrets(box: SecretBox): Promise<Reencrypted>;
    private ensureUser;
    private issue;
}
