import { MEBIBYTE } from '../../common';
import { ResponseTooLargeError } from '../errors/http.errors';

/** A page ends after so many bytes, or one item (docs/contract.md#response-limits). */
export const MAX_RESPONSE_BYTES = 16 * MEBIBYTE;

/** Texts that are read together with the sizes of a page; larger pages are read part by part. */
export const INLINE_BYTES = 256 * 1024;

/** What is read of a large response at a time, or one item. */
export const PART_BYTES = 256 * 1024;

/** An item of a response, with the bytes it takes there. */
export interface SizedItem {
  readonly bytes: number;
}

/** An item of a response with its JSON text; null for one that is read while the response is sent. */
export interface ResponseItem extends SizedItem {
  readonly text: string | null;
}

/**
 * What stands on a page of rows that were read with one more than the limit: as many as fit, and at least one.
 * @returns them, and the row that the next page starts with
 */
export function fittingPage<Item extends SizedItem>(
  rows: readonly Item[],
  limit: number,
): { readonly items: readonly Item[]; readonly next: Item | undefined } {
  const count = prefixWithin(rows.slice(0, limit), MAX_RESPONSE_BYTES);
  return { items: rows.slice(0, count), next: rows[count] };
}

/** @throws ResponseTooLargeError when items that were named are too large together */
export function assertResponseFits(items: readonly SizedItem[]): void {
  if (prefixWithin(items, MAX_RESPONSE_BYTES) < items.length) throw new ResponseTooLargeError();
}

/** The items in their order, in parts that are read one after the other. */
export function partsOf<Item extends SizedItem>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  for (let from = 0; from < items.length;) {
    const count = prefixWithin(items.slice(from), PART_BYTES);
    parts.push(items.slice(from, from + count));
    from += count;
  }
  return parts;
}

/** The bytes of items together. */
export function bytesOf(items: readonly SizedItem[]): number {
  return items.reduce((sum, { bytes }) => sum + bytes, 0);
}

function prefixWithin(items: readonly SizedItem[], most: number): number {
  let sum = 0;
  const end = items.findIndex(({ bytes }, index) => (sum += bytes) > most && index > 0);
  return end === -1 ? items.length : end;
}
