import type { Readable } from 'node:stream';
/**
 * Reads an answer to its end, but no further than 64 kB: then its connection is closed.
 * @returns its first kilobyte
 * @throws what the stream fails with
 */
export declare function readBeginning(answer: Readable, signal: AbortSignal): Promise<Buffer>;
/** The beginning of an answer as text that can be stored: cut between characters, and without NUL. */
export declare function beginningOf(bytes: Buffer): string;
