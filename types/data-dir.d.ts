/** The files that the service itself keeps in `DATA_DIR`. */
export declare class DataDir {
    readonly path: string;
    private constructor();
    /** @throws StartError when the folder neither exists nor can be created */
    static open(path: string): Promise<DataDir>;
    /**
     * Who this host is among those that run sandboxes (docs/decisions/0016-hosts-own-sandboxes.md); made once.
     */
    hostId(): Promise<string>;
    /** The key for secrets at rest where no `SECRET_KEY` is set; made once. */
    secretKey(): Promise<string>;
    /** Writes the first API key to a file for its owner. @returns its path */
    saveOwnerKey(key: string): Promise<string>;
    /** The text of a file. The first of several concurrent starts creates it, atomically and durably; all read it. */
    private once;
    private file;
}
