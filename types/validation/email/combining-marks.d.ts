/** The Unicode names of U+0300 to U+036F, in this order: the accents of Latin, Greek and Cyrillic. */
export declare const COMBINING_MARKS: string[];
