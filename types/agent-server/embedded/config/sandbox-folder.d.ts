/** A path that callers must not use. */
export declare class OutsideFolderError extends Error {
    constructor(message: string);
}
/**
 * The files that the API may touch: all that the user of this process may, where that user is the sandbox's own,
 * or those under one folder (docs/sandboxes.md#isolation).
 */
export declare class SandboxFolder {
    private readonly confinedTo;
    /** @param confinedTo the one folder; null for all files */
    constructor(confinedTo: string | null);
    /**
     * The path to use for a path that a caller gave, which need not exist yet. Links are followed before it is judged.
     * @throws OutsideFolderError
     */
    resolve(path: string): string;
}
