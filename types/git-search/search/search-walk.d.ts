import type { OpenedCredential } from '../../git-credentials';
import type { ProviderPage, WantedPage } from '../providers/provider-api';
import type { SearchPlace } from './search-cursor';
/** What one search found, and where it goes on. */
export interface Found<T> {
    readonly items: readonly T[];
    readonly next: SearchPlace | null;
}
/**
 * Fills a page with what one credential after the other finds. The size of the provider's pages stays the same from
 * one to the next, because they are counted in it.
 * @param start null for the beginning
 * @param pageOf what a credential finds on a page, without what is left out
 */
export declare function walk<T>(credentials: readonly OpenedCredential[], { start, limit }: {
    readonly start: SearchPlace | null;
    readonly limit: number;
}, pageOf: (credential: OpenedCredential, page: WantedPage) => Promise<ProviderPage<T>>): Promise<Found<T>>;
