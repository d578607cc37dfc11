/** The entry at a path of a commit. */
export interface TreeEntry {
    readonly kind: 'file' | 'folder' | 'link' | 'submodule';
    readonly id: string;
}
/** Parses the output of `git ls-tree -r -t -z`, and stops it when the tree is too large. */
export declare class TreeListing {
    private readonly maxFiles;
    readonly entries: Map<string, TreeEntry>;
    private readonly decoder;
    private readonly namesIn;
    private files;
    private bytes;
    private rest;
    constructor(maxFiles: number);
    /** @throws RegistrationProblem when there are too many files */
    add(chunk: Buffer): void;
    /** Names in a folder; none when there is no such folder. */
    names(folder: string): readonly string[];
    private addEntry;
}
