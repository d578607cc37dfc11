import { DataSource } from 'typeorm';
import { Clock, type Person } from '../../common';
import { AccountLocks, MembershipService } from '../../orgs';
import { KeyIssuer } from '../keys/key-issuer';
import type { ServiceKeyCreated } from './service-keys.dto';
/** How many keys that work another service may have for one member of an organization. */
export declare const MAX_SERVICE_KEYS = 100;
/** Keys that another service is given to act for members (docs/contract.md#keys-for-other-services). */
export declare class ServiceKeys {
    private readonly database;
    private readonly issuer;
    private readonly locks;
    private readonly members;
    private readonly clock;
    private readonly log;
    constructor(database: DataSource, issuer: KeyIssuer, locks: AccountLocks, members: MembershipService, clock: Clock);
    /**
     * Issues a key that is bound to the organization and expires; expired ones are removed.
     * @throws NoSuchMemberError, TooManyServiceKeysError
     */
    create(person: Person, wantedName: string): Promise<ServiceKeyCreated>;
    private makeRoom;
}
