/** The words of what was typed, which blanks, commas and line ends part. */
export function wordsOf(typed: string): string[] {
  return typed.split(/[\s,]+/).filter((word) => word !== '');
}

/** The lines of what was typed, without empty ones. */
export function linesOf(typed: string): string[] {
  return typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
