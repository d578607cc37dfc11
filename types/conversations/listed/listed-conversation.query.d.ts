import { type ConversationRow } from '../record/conversation-row';
/** What makes a record large: its tags, and many pull requests. */
interface LargeColumns {
    readonly tags: object;
    readonly prNumber: readonly unknown[];
}
/** A row of a list: where tags and pull requests are large together, they are null, and read later. */
export type Listed<Row extends LargeColumns> = Omit<Row, keyof LargeColumns> & {
    readonly tags: Row['tags'] | null;
    readonly prNumber: Row['prNumber'] | null;
    /** What they take in a response at most. */
    readonly largeBytes: number;
};
/** What is read later, with the id of its row; tags are a JSON text. */
export interface LargeRow {
    readonly id: string;
    readonly tags: string;
    readonly prNumber: readonly unknown[];
}
/** Of tags and pull requests of a conversation `c`, in a response at most. */
export declare const LARGE_BYTES = "octet_length(c.tags::text) + 21 * cardinality(c.pr_number)";
/**
 * The columns of a {@link Listed} row, of a table named `c`.
 * @param except those that a statement does not need
 */
export declare function listedColumns(...except: (keyof ConversationRow)[]): string;
/** The {@link LargeRow}s of some conversations ($1). */
export declare const LARGE_ROWS = "SELECT c.id, c.tags::text AS tags, c.pr_number AS \"prNumber\"\n  FROM conversations c WHERE c.id = ANY ($1)";
/** What a row has of the large columns; null where they are read later. */
export declare function smallOf<Row extends LargeColumns>(row: Listed<Row>): Pick<Row, keyof LargeColumns> | null;
/** The JSON text of a record with its large columns; those of one that is gone meanwhile stay empty. */
export declare function completedJson(record: object, large: LargeRow | undefined): string;
export {};
