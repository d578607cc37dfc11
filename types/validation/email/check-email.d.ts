import type { Cursor } from '../errors/cursor';
/** Checks an `email()`; the value is the text as it was sent (see `emailAddressIn`). */
export declare function checkEmail(value: unknown, at: Cursor): unknown;
/**
 * The address in a text that `email()` accepted: without a display name and white space around it, the
 * domain in lower case.
 */
export declare function emailAddressIn(text: string): string;
