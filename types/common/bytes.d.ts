/** Bytes of a mebibyte. */
export declare const MEBIBYTE: number;
