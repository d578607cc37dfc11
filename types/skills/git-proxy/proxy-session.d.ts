import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import { RegistrationProblem } from '../registration/registration-problem';
/** One git's use of the proxy: its password, its byte limit, and its open connections. */
export declare class ProxySession {
    private readonly maxBytes;
    private readonly onTooLarge;
    private readonly onlyHost;
    /** The password of this git; no other process on this machine knows it. */
    readonly token: string;
    /** Keeps connections to plain-http servers alive between two requests of this git. */
    readonly agent: Agent;
    private readonly connections;
    private received;
    private firstProblem;
    /**
     * @param maxBytes how many bytes it may receive
     * @param onTooLarge called once when it receives more
     * @param onlyHost the only `host:port` it connects to, without the port where it is the scheme's; null for any
     */
    constructor(maxBytes: number, onTooLarge: () => void, onlyHost?: string | null);
    /** Why the proxy refused a connection, if it did: git only learns that it was refused. */
    get problem(): RegistrationProblem | null;
    /** Bytes received so far. */
    get bytesReceived(): number;
    /** @throws RegistrationProblem when this git has a credential for another host */
    assertAllowed(url: URL): void;
    note(problem: RegistrationProblem): void;
    /** Counts received bytes; beyond the limit all connections are closed. */
    count(bytes: number): void;
    /** Tracks a connection, so that it is closed with the session. */
    track(connection: Duplex): void;
    /** Closes all connections. */
    end(): void;
}
