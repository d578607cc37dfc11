import type { Readable } from 'node:stream';
/** Bounds how many archives are written at once: each keeps its table of contents in memory until its end. */
export declare class DownloadSlots {
    private readonly users;
    /**
     * Makes an archive, whose slot is free again when it is closed, whichever way.
     * @throws TooManyDownloadsError
     */
    fill(userId: string, make: () => Readable): Readable;
}
