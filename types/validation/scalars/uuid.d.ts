import type { Cursor } from '../errors/cursor';
/** Checks a `uuid()`; the value is lower case with hyphens. */
export declare function checkUuid(value: unknown, at: Cursor): unknown;
export declare function readUuid(text: string): string | undefined;
