/** The beginning of a file. */
export interface FileHead {
    /** Size of the whole file. */
    readonly size: number;
    readonly head: Buffer;
}
/** The files of a marketplace, in git or in a folder. Paths are relative, with `/`; the root is `''`. */
export interface Content {
    /** The entry at a path, without following links; null when there is none. */
    kindOf(path: string): Promise<'file' | 'folder' | 'link' | null>;
    /** Names in a folder. */
    names(folder: string): Promise<readonly string[]>;
    /** The target of a link, as written. */
    linkTarget(path: string): Promise<string>;
    /** Beginnings of files; those that cannot be read are left out. */
    read(paths: readonly string[], keepBytes: number): Promise<ReadonlyMap<string, FileHead>>;
}
/** What a path resolves to when links are followed. */
export type Resolved = {
    readonly kind: 'file' | 'folder';
    readonly path: string;
} | {
    readonly kind: 'absent' | 'outside' | 'loop';
};
/** Why a link could not be followed. */
export declare function linkFault(kind: 'outside' | 'loop'): string;
/** Joins two relative paths. */
export declare function joinPath(folder: string, name: string): string;
/** Follows links as the file system would, but never out of the content. */
export declare function resolvePath(content: Content, path: string): Promise<Resolved>;
