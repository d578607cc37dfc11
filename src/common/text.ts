/**
 * Text as the database can hold it: NUL and lone surrogates become U+FFFD (decisions 4).
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD');
}
