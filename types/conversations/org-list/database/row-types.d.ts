type ReadText = (text: string) => unknown;
/**
 * Reads what a query of the list answers: times straight into the text that is answered and counts as numbers,
 * which the driver makes dates and texts of.
 */
export declare const ROW_TYPES: {
    getTypeParser(type: number): ReadText;
};
/**
 * A time of the database, with milliseconds as `Date` has them. One that is not in UTC goes through a `Date`: a
 * pooler or the address of the database can keep the connection's own settings from the server.
 */
export declare function isoTime(text: string): string;
export {};
