import type { Check, Cursor } from '../errors/cursor';
import type { TypeShape } from '../declaration/field-types';
/** Makes the check of a `string(...)`. */
export declare function stringCheck(type: Extract<TypeShape, {
    kind: 'string';
}>): Check;
/** Makes the check of a `oneOf(...)` or a `literal(...)`: exactly these texts, no trimming, no case folding. */
export declare function choiceCheck(type: 'enum' | 'literal_error', values: readonly string[]): Check;
/** Reports the complaint of a custom rule; clients expect the empty object in `ctx`. */
export declare function ruleFault(complaint: string, input: unknown, at: Cursor): unknown;
