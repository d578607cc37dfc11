/** Drops white space at both ends, file and record separators included. */
export declare function stripWhiteSpace(text: string): string;
/** The address of `Name <address>` and `"Any name" <address>`; any other text as it is. */
export declare function withoutDisplayName(text: string): string;
