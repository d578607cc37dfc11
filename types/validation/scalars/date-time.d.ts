import { type Cursor } from '../errors/cursor';
/** Checks a `dateTime()`; without an offset a text means UTC. */
export declare function checkDateTime(value: unknown, at: Cursor): unknown;
