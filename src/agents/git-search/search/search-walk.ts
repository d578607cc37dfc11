import type { OpenedCredential } from '../../git-credentials';
import type { ProviderPage, WantedPage } from '../providers/provider-api';
import type { SearchPlace } from './search-cursor';

/** Pages of a provider that are read for one of ours, where most of what they have is left out. */
const MAX_PAGES = 5;

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
export async function walk<T>(
  credentials: readonly OpenedCredential[],
  { start, limit }: { readonly start: SearchPlace | null; readonly limit: number },
  pageOf: (credential: OpenedCredential, page: WantedPage) => Promise<ProviderPage<T>>,
): Promise<Found<T>> {
  const items: T[] = [];
  let place = start ?? beginning(credentials[0], limit);
  for (let pages = 0; place !== null && pages < MAX_PAGES; pages++) {
    const { credential: id, next, size } = place;
    if (items.length > 0 && items.length + size > limit) break;
    const index = credentials.findIndex((credential) => credential.id === id);
    const credential = credentials[index];
    if (credential === undefined) return { items, next: null };
    const page = await pageOf(credential, { next, size });
    items.push(...page.items);
    place =
      page.next === null
        ? beginning(credentials[index + 1], Math.max(1, limit - items.length))
        : { credential: id, next: page.next, size };
  }
  return { items, next: place };
}

function beginning(credential: OpenedCredential | undefined, size: number): SearchPlace | null {
  return credential === undefined ? null : { credential: credential.id, next: null, size };
}
