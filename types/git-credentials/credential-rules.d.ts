export declare const MAX_CREDENTIALS = 50;
export declare const MAX_URL_PREFIX = 2048;
export declare const MAX_USERNAME = 255;
export declare const MAX_PASSWORD = 4096;
/** Encrypted size of a password of maximum length. */
export declare const MAX_SEALED_BYTES: number;
/** @returns what is wrong with a URL prefix, or null */
export declare function prefixProblem(text: string): string | null;
/** @returns what is wrong with a user name or password, or null; git reads both line by line */
export declare function lineProblem(text: string): string | null;
