import { useLocation } from 'preact-iso/router';

/** What of a page's state is in its address: filters, sorts, pages. */
export interface Address {
  readonly query: Readonly<Record<string, string | undefined>>;
  /**
   * Goes to the address with some of it changed, from which Back leads here; null leaves one out.
   * @param isTyped for what changes letter by letter: Back leads to what was before it
   */
  readonly change: (changes: Readonly<Record<string, string | null>>, isTyped?: boolean) => void;
}

/** The state of the page in its address. */
export function useAddress(): Address {
  const { path, query, route } = useLocation();
  return {
    query,
    change: (changes, isTyped = false) => {
      const next = Object.entries({ ...query, ...changes }).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      );
      route(next.length === 0 ? path : `${path}?${new URLSearchParams(next).toString()}`, isTyped);
    },
  };
}
