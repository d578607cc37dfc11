import { conversationColumns, type ConversationRow } from '../record/conversation-row';

/*
 * By hand because what makes a record large is read apart from the rest of a page, while it is sent
 * (docs/contract.md#answer-limits).
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
  /** What they take in an answer at most. */
  readonly largeBytes: number;
};

/** What is read later, with the id of its row. */
export type LargeRow<Row extends LargeColumns> = Pick<Row, keyof LargeColumns> & { readonly id: string };

/** Tags of a few words and some pull requests, as nearly every record has them. */
const SMALL_BYTES = 2 * 1024;

/** Of tags and pull requests of a conversation `c`, in an answer at most. */
export const LARGE_BYTES = 'octet_length(c.tags::text) + 21 * cardinality(c.pr_number)';

/**
 * The columns of a {@link Listed} row, of a table named `c`.
 * @param except those that a statement does not need
 */
export function listedColumns(...except: (keyof ConversationRow)[]): string {
  const ifSmall = (column: string): string => `CASE WHEN ${LARGE_BYTES} <= ${SMALL_BYTES} THEN ${column} END`;
  return `${conversationColumns('tags', 'prNumber', ...except)}, ${LARGE_BYTES} AS "largeBytes",
    ${ifSmall('c.tags')} AS tags, ${ifSmall('c.pr_number')} AS "prNumber"`;
}

/** The {@link LargeRow}s of some conversations ($1). */
export const LARGE_ROWS = `SELECT c.id, c.tags, c.pr_number AS "prNumber"
  FROM conversations c WHERE c.id = ANY ($1)`;

/** What a row has of the large columns; null where they are read later. */
export function smallOf<Row extends LargeColumns>(row: Listed<Row>): Pick<Row, keyof LargeColumns> | null {
  const { tags, prNumber } = row;
  return tags === null || prNumber === null ? null : { tags, prNumber };
}
