import type { Cursor } from '../errors/cursor';
/** Checks a `boolean()`. */
export declare function checkBoolean(value: unknown, at: Cursor): unknown;
