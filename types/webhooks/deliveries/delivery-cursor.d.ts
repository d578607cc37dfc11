/** Where a page of deliveries starts: when the first one was made, and its id. */
export interface DeliveryCursor {
    readonly createdAt: Date;
    readonly id: string;
}
/** The text of a cursor, for `page_id`: it holds though the delivery is cleaned up meanwhile. */
export declare function cursorText({ createdAt, id }: DeliveryCursor): string;
/** Reads a `page_id`; null for a text that is none. */
export declare function readCursor(text: string): DeliveryCursor | null;
