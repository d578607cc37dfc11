import { DataSource, Repository } from 'typeorm';
import { AuthCaches, type Caller, type OrgContext } from '../auth';
import { Clock } from '../common';
import { AccountLocks, MembershipService } from '../orgs';
import type { ApiKeyCreate, ApiKeyCreated, ApiKeyResponse, ApiKeyRevoked, CurrentApiKey } from './api-keys.dto';
import { ApiKey } from './keys/api-key.entity';
import { KeyIssuer } from './keys/key-issuer';
/** How many keys one user may have, beside those that other services were given for them. */
export declare const MAX_KEYS = 1000;
/** Users' own keys (docs/contract.md#api-keys). */
export declare class ApiKeysService {
    private readonly database;
    private readonly keys;
    private readonly issuer;
    private readonly locks;
    private readonly members;
    private readonly caches;
    private readonly clock;
    constructor(database: DataSource, keys: Repository<ApiKey>, issuer: KeyIssuer, locks: AccountLocks, members: MembershipService, caches: AuthCaches, clock: Clock);
    /** The caller's keys, oldest first; for a bound key those of its organization. */
    list(caller: Caller): Promise<ApiKeyResponse[]>;
    /**
     * Issues a key for the caller.
     * @throws KeyExpiryInvalidError, KeyOutlivesMakerError, KeyBoundElsewhereError, NotAMemberError,
     *   TooManyKeysError
     */
    create(caller: Caller, org: OrgContext, request: ApiKeyCreate): Promise<ApiKeyCreated>;
    /** Revokes a key of the caller; later requests with it are 401. */
    revoke(caller: Caller, keyText: string): Promise<ApiKeyRevoked>;
    /**
     * The key of this request.
     * @throws UnauthenticatedError if it was revoked a moment ago
     */
    current(caller: Caller, org: OrgContext): Promise<CurrentApiKey>;
    private checkBinding;
    /** Counts under a lock of the user, so that concurrent calls cannot exceed the limit. */
    private checkCount;
}
