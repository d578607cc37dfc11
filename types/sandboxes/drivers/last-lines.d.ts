import type { LogLimit } from '../record/sandbox-driver';
/**
 * The last lines of a text that may begin within a line.
 * @param isWhole whether the text begins where the log does; otherwise its first, broken line is left out
 */
export declare function lastLines(text: string, { lines }: Pick<LogLimit, 'lines'>, isWhole: boolean): string[];
