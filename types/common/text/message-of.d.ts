/** The message of what was thrown, for logs and for sentences of our own. */
export declare function messageOf(error: unknown): string;
