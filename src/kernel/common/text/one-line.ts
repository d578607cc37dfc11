/**
 * A JSON text without what any reader takes for the end of a line: newlines, which are between its tokens only, and U+0085,
 * U+2028 and U+2029, which are in its strings only.
 */
export function inOneLine(json: string): string {
  return json
    .replace(/[\r\n]+/g, ' ')
    .replace(/[\u0085\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
