/** How deep arrays and objects may nest; beyond, the body is refused with 400. */
export declare const MAX_DEPTH = 1000;
/** The longest integer that is read; beyond, the body is refused with 400. */
export declare const MAX_INTEGER_DIGITS = 4300;
/**
 * Parses a JSON text without loss: numbers keep their spelling, faults have their position, the last of
 * several equal keys wins, `NaN` and `Infinity` are values. Slower than `JSON.parse`, but linear.
 * @throws JsonFault, JsonLimitFault
 */
export declare function readExactJson(text: string): unknown;
