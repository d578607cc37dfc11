import type { LogLimit } from '../sandboxes/driver-port';

/**
 * The last lines of a text that may begin within a line.
 * @param isWhole whether the text begins where the log does; otherwise its first, broken line is left out
 */
export function lastLines(text: string, { lines }: Pick<LogLimit, 'lines'>, isWhole: boolean): string[] {
  const all = text.split(/\r?\n/);
  if (all.at(-1) === '') all.pop();
  return all.slice(isWhole || all.length === 1 ? 0 : 1).slice(-lines);
}
