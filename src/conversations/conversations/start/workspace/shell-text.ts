/** A text as one word of a POSIX shell command, whatever it contains. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
