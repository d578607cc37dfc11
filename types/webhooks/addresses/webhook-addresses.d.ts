import { CheckedHosts, HostProblem } from '../../common';
/** Only hosts that the operator allows are called without encryption: callbacks carry what agents and people wrote. */
export declare class UnencryptedHostError extends HostProblem {
    constructor(host: string);
}
/** Decides where callbacks may go, when an address is saved and whenever a connection begins (docs/webhooks.md#addresses). */
export declare class WebhookAddresses {
    private readonly hosts;
    constructor(hosts: CheckedHosts);
    /**
     * Judges an address that is to be saved.
     * @returns why it is refused, or null; a name without an address now is accepted, as it may have one later
     */
    problemOf(url: URL): Promise<string | null>;
    /**
     * The checked addresses that a connection may go to.
     * @param protocol with its colon
     * @throws UnencryptedHostError, PrivateHostError, UnknownHostError
     */
    addressesFor(protocol: string, host: string, port: number): Promise<readonly string[]>;
}
