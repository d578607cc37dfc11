/** @returns the index after the closing quote of the string that opens at `start`, or the text's length */
export declare function endOfString(text: string, start: number): number;
/**
 * Whether the text may break a limit that `JSON.parse` does not have: its nesting, or a run of digits long
 * enough for an integer that is refused. Only a careful reading then says whether it does.
 */
export declare function mayBreakLimits(text: string): boolean;
