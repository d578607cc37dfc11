/** A text as one word of a POSIX shell command, whatever it contains. */
export declare function shellWord(text: string): string;
