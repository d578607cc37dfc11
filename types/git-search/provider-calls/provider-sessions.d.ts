import { Destinations } from '../../skills';
import { ProviderSession, type SessionOptions } from './provider-session';
/**
 * Opens the way to providers: their hosts are checked as those of marketplaces are, since any user may name one in a
 * credential (docs/decisions/0032-git-searches.md).
 */
export declare class ProviderSessions {
    private readonly destinations;
    constructor(destinations: Destinations);
    /**
     * @param base what the paths of the API begin with
     * @throws GitHostRefusedError
     */
    open(base: URL, options: Omit<SessionOptions, 'addresses'>): Promise<ProviderSession>;
}
