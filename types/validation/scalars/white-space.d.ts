/** A text without the white space at its ends. */
export declare function stripWhiteSpace(text: string): string;
