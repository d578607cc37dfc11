import { CheckedHosts } from '../../common';
/** Decides where git may connect to, at the moment it connects (docs/contract.md#marketplace-preview). */
export declare class Destinations {
    private readonly hosts;
    constructor(hosts: CheckedHosts);
    /** True when the operator exempts the host from the rules for untrusted hosts. */
    allows(host: string, port: number): boolean;
    /**
     * The checked addresses of a host (see {@link CheckedHosts}).
     * @throws RegistrationProblem when the host has no address, or one that is not public
     */
    addressesOf(host: string, port: number): Promise<readonly string[]>;
}
