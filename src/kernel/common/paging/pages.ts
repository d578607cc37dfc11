/** The largest page of every `/search`; larger limits count as this one (docs/contract.md#pages). */
export const MAX_PAGE_LIMIT = 100;

/** One page of a search: what was found, and where the next page starts (null on the last one). */
export interface Page<T> {
  readonly items: T[];
  readonly next_page_id: string | null;
}

/**
 * The size of a page for a requested limit.
 * @param limit a positive number; above 100 counts as 100
 */
export function clampLimit(limit: number): number {
  return Math.min(limit, MAX_PAGE_LIMIT);
}

/**
 * Makes a page from rows that were read with one more than the limit.
 * @param idOf the page id of a row, with which the next page starts
 */
export function pageOf<Row, T>(
  rows: readonly Row[],
  limit: number,
  map: (row: Row) => T,
  idOf: (row: Row) => string,
): Page<T> {
  const next = rows[limit];
  return { items: rows.slice(0, limit).map(map), next_page_id: next === undefined ? null : idOf(next) };
}
