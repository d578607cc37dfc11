/** `3 characters too many` */
export declare function tooMany(count: number): string;
