import { RequestLimits } from '../../request-limits';
/**
 * Limits failed authentication attempts per address (docs/contract.md#request-limits). Valid credentials still work
 * beyond the limit, but lookups for that address are serialized, so it occupies at most one database connection.
 */
export declare class FailedCredentials {
    private readonly limits;
    /** The last look-up of each address that is beyond its limit. */
    private readonly lookUps;
    constructor(limits: RequestLimits);
    /**
     * Authenticates a request.
     * @throws what `lookUp` throws; TooManyFailedCredentialsError in place of an UnauthenticatedError beyond the limit
     */
    watch<T>(address: string, lookUp: () => Promise<T>): Promise<T>;
    private serialize;
}
