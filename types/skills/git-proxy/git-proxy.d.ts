import { type OnModuleDestroy } from '@nestjs/common';
import { Destinations } from './destinations';
import { ProxySession } from './proxy-session';
/** The network access of one git while it runs. */
export interface OpenedProxy {
    /** URL with password for git's `http.proxy`. */
    readonly url: string;
    readonly session: ProxySession;
    /** Closes it together with its connections. */
    close(): void;
}
/**
 * The only way from git to the network: a forward proxy on loopback that resolves, checks and connects by
 * itself, for redirects as well, since they pass it too (docs/decisions/0019-marketplace-sources-are-hostile.md).
 * Only a git of ours can use it: each has a password of its own.
 */
export declare class GitProxy implements OnModuleDestroy {
    private readonly destinations;
    private readonly sessions;
    private starting;
    constructor(destinations: Destinations);
    /**
     * Opens the proxy for one git; the caller closes it.
     * @param maxBytes how many bytes it may receive
     * @param onTooLarge called once when it receives more
     * @param onlyHost the only `host` or `host:port` it connects to: that of a credential
     */
    open(maxBytes: number, onTooLarge: () => void, onlyHost?: string | null): Promise<OpenedProxy>;
    onModuleDestroy(): Promise<void>;
    private listen;
    private sessionOf;
}
