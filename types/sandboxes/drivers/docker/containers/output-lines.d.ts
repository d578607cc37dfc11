import type { LogLimit } from '../../../record/sandbox-driver';
/**
 * The last lines of a container's output, as the engine sends it: frames of a header, with the length at its end, and a
 * part of one of the two streams.
 */
export declare function outputLines(frames: Buffer, limit: LogLimit): string[];
