import { useLocation } from 'preact-iso/router';

/** Values of an address's query; undefined and empty ones stand for those that are absent. */
export type QueryValues = Readonly<Record<string, string | undefined>>;

/** What the address says of the list that is shown: filters, sort, place. Whoever has the address sees the same. */
export interface Query {
  readonly values: QueryValues;
  /** The address of the same page with other values; all others stay. */
  readonly addressWith: (changes: QueryValues) => string;
  /** Goes there. Back leads to what was shown before. */
  readonly change: (changes: QueryValues) => void;
}

/** The query of the page's address. */
export function useQuery(): Query {
  const { path, query, route } = useLocation();
  const addressWith = (changes: QueryValues): string => {
    const values = Object.entries({ ...query, ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    );
    return values.length === 0 ? path : `${path}?${String(new URLSearchParams(values))}`;
  };
  return { values: query, addressWith, change: (changes) => route(addressWith(changes)) };
}
