import { type Check, type Cursor } from '../errors/cursor';
/** Makes the check of a `list(...)`. */
export declare function listCheck(item: Check, min: number, max: number): Check;
/** Makes the check of a `commaList(...)`: of the occurrences of a query parameter. */
export declare function commaListCheck(item: Check): Check;
/** Makes the check of a `dictionary(...)`; without a check of its members they are taken as they are. */
export declare function dictionaryCheck(member: Check | undefined, max: number): Check;
/** Checks an `anything()`. */
export declare function checkAnything(value: unknown, at: Cursor): unknown;
