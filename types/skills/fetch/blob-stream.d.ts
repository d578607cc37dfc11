/** The beginning of a blob. */
export interface BlobHead {
    readonly id: string;
    /** The size of the whole blob. */
    readonly size: number;
    readonly head: Buffer;
}
/** Parses the output of `git cat-file --batch`: for each blob a header line, its bytes and a newline. */
export declare class BlobStream {
    private readonly keepBytes;
    private readonly onBlob;
    private pending;
    private current;
    /** @param keepBytes how much of each blob is kept; the rest is discarded as it arrives */
    constructor(keepBytes: number, onBlob: (blob: BlobHead) => void);
    add(chunk: Buffer): void;
    private takeHeader;
    private takeBytes;
}
