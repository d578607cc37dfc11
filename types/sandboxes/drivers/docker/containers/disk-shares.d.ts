import type { Engine } from '../engine';
/** Of volumes by their names. */
type DeletedBytes = (stores: readonly string[]) => Promise<ReadonlyMap<string, number>>;
/** How much disk the volumes of sandboxes take, as the engine measures it. */
export declare class DiskShares {
    private readonly engine;
    private readonly mebibytes;
    private readonly deletedBytes;
    private readonly log;
    private sizes;
    private deleted;
    /** What those took that are beyond their share now, or were when they were last seen. */
    private readonly beyond;
    /** How often in a row the engine could not measure a volume. */
    private readonly unmeasured;
    private readonly before;
    private measuring;
    private nextMs;
    private isFailing;
    /**
     * @param mebibytes what a sandbox may take (`SANDBOX_DISK_MEBIBYTES`)
     * @param deletedBytes what of volumes is in files that were deleted while programs have them open: the engine does not
     * find those
     */
    constructor(engine: Engine, mebibytes: number, deletedBytes?: DeletedBytes);
    /** Whether the volume of a sandbox that has run since a time takes too much, as far as is known; has it measured meanwhile. */
    isBeyond(store: string, runsSince: Date): boolean;
    /** @throws DriverError when a sandbox takes so much that it must not run again */
    assertStartable(store: string): void;
    /** Measures, and says of a sandbox that takes more than its share what can be done; null for others. */
    explain(store: string): Promise<string | null>;
    private sentenceOf;
    /** What it took when this start of it was first seen. */
    private sizeBefore;
    private sizeOf;
    /** Whoever keeps the engine from counting takes what it wants. */
    private isUnmeasurable;
    private measure;
    private readAndRest;
    private readSizes;
}
export {};
