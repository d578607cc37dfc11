import { z } from 'zod';
import { conversationColumns, type ConversationRow } from '../record/conversation-row';

/*
 * By hand because what makes a record large is read apart from the rest of a page, while it is sent
 * (docs/contract.md#response-limits).
 */

/** What makes a record large: its tags, and many pull requests. */
interface LargeColumns {
  readonly tags: object;
  readonly prNumber: readonly unknown[];
}

/** A row of a list: where tags and pull requests are large together, they are null, and read later. */
export type Listed<Row extends LargeColumns> = Omit<Row, keyof LargeColumns> & {
  readonly tags: Row['tags'] | null;
  readonly prNumber: Row['prNumber'] | null;
  /** The most that they take up in a response. */
  readonly largeBytes: number;
};

/** Large columns that are read later, with the id of the row; tags are a JSON text. */
export interface LargeRow {
  readonly id: string;
  readonly tags: string;
  readonly prNumber: readonly unknown[];
}

/** Of tags and pull requests of a conversation `c`, in a response at most. */
export const LARGE_BYTES = 'octet_length(c.tags::text) + 21 * cardinality(c.pr_number)';

/** Tags of some words and some pull requests: what nearly every record has. */
const SMALL_BYTES = 2 * 1024;

/** So few bytes on the disk are few as a text, too, compressed or not: nearly always it is not made to be measured. */
const SURELY_SMALL_BYTES = 256;
const SURELY_FEW = 40;

/** Whether the large columns of a conversation `c` are few bytes together, as an expression. */
export const IS_SMALL = `CASE
    WHEN pg_column_size(c.tags) <= ${SURELY_SMALL_BYTES} AND cardinality(c.pr_number) <= ${SURELY_FEW} THEN true
    WHEN pg_column_size(c.tags) > ${SMALL_BYTES} THEN false
    ELSE ${LARGE_BYTES} <= ${SMALL_BYTES} END`;

/**
 * The columns of a {@link Listed} row, of a table named `c`.
 * @param except those that a statement does not need
 */
export function listedColumns(...except: (keyof ConversationRow)[]): string {
  const small = (column: string): string => `CASE WHEN ${IS_SMALL} THEN ${column} END`;
  return `${conversationColumns('tags', 'prNumber', ...except)},
    ${small('c.tags')} AS tags, ${small('c.pr_number')} AS "prNumber",
    CASE WHEN ${IS_SMALL} THEN 0 ELSE ${LARGE_BYTES} END AS "largeBytes"`;
}

/** The {@link LargeRow}s of some conversations ($1). */
export const LARGE_ROWS = `SELECT c.id, c.tags::text AS tags, c.pr_number AS "prNumber"
  FROM conversations c WHERE c.id = ANY ($1)`;

/** The large columns of a row; null where they are read later. */
export function smallOf<Row extends LargeColumns>(row: Listed<Row>): Pick<Row, keyof LargeColumns> | null {
  const { tags, prNumber } = row;
  return tags === null || prNumber === null ? null : { tags, prNumber };
}

const storedTags = z.record(z.string(), z.unknown());

/** As {@link completedJson}, as a record. */
export function completed<Record extends { tags: object; pr_number: number[] }>(
  record: Record,
  large: LargeRow | undefined,
): Record {
  if (large === undefined) return record;
  const tags = storedTags.parse(JSON.parse(large.tags));
  return { ...record, tags, pr_number: large.prNumber.map(Number) };
}

/** The JSON text of a record with its large columns; those of one that is gone meanwhile stay empty. */
export function completedJson(record: object, large: LargeRow | undefined): string {
  if (large === undefined) return JSON.stringify(record);
  const rest = Object.assign({}, record, { tags: undefined, pr_number: large.prNumber.map(Number) });
  return `${JSON.stringify(rest).slice(0, -1)},"tags":${large.tags}}`;
}
