import type { Check } from '../errors/cursor';
import type { Bounds } from '../declaration/field-types';
import { ExactNumber } from '../json/exact-values';
/** Makes the check of an `integer()`. */
export declare function integerCheck(bounds: Bounds): Check;
/** Makes the check of a `number()`. */
export declare function numberCheck(bounds: Bounds): Check;
/** Whether a number, as it was written, is an integer that fits into 64 bits. */
export declare function isInt64(value: number | ExactNumber): boolean;
