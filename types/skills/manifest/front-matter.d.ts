/** How many bytes of a file are read. */
export declare const FRONT_MATTER_BYTES: number;
/** Parsed front matter; `absent` when the file has none. */
export type FrontMatter = {
    readonly kind: 'mapping';
    readonly values: Record<string, unknown>;
} | {
    readonly kind: 'absent';
} | {
    readonly kind: 'broken';
    readonly why: string;
};
/** Parses the YAML between the two `---` lines at the beginning of a file. */
export declare function readFrontMatter(text: string): FrontMatter;
