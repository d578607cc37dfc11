/** A page ends after so many bytes, or one item (docs/contract.md#response-limits). */
export declare const MAX_RESPONSE_BYTES: number;
/** Texts that are read together with the sizes of a page; larger pages are read part by part. */
export declare const INLINE_BYTES: number;
/** What is read of a large response at a time, or one item. */
export declare const PART_BYTES: number;
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
export declare function fittingPage<Item extends SizedItem>(rows: readonly Item[], limit: number): {
    readonly items: readonly Item[];
    readonly next: Item | undefined;
};
/** @throws ResponseTooLargeError when items that were named are too large together */
export declare function assertResponseFits(items: readonly SizedItem[]): void;
/** The items in their order, in parts that are read one after the other. */
export declare function partsOf<Item extends SizedItem>(items: readonly Item[]): Item[][];
/** The bytes of items together. */
export declare function bytesOf(items: readonly SizedItem[]): number;
