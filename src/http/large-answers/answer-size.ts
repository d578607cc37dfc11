import { AnswerTooLargeError } from '../errors/http.errors';

const MEBIBYTE = 1024 * 1024;

/** A page ends after so many bytes, or one item (docs/contract.md#answer-limits). */
export const MAX_ANSWER_BYTES = 16 * MEBIBYTE;

/** Texts that are read together with the sizes of a page; larger pages are read part by part. */
export const INLINE_BYTES = 256 * 1024;

/** What is read of a large answer at a time, or one item. */
const PART_BYTES = 256 * 1024;

/** An item of an answer, with the bytes it takes there. */
export interface SizedItem {
  readonly bytes: number;
}

/** How many of the items stand on a page: as many as fit, and at least one. */
export function countOnPage(items: readonly SizedItem[]): number {
  return prefixWithin(items, MAX_ANSWER_BYTES);
}

/** @throws AnswerTooLargeError when items that were named are too large together */
export function assertAnswerable(items: readonly SizedItem[]): void {
  if (prefixWithin(items, MAX_ANSWER_BYTES) < items.length) throw new AnswerTooLargeError();
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
