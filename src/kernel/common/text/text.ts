/**
 * Text as the database can store it: NUL and lone surrogates become U+FFFD
 * (docs/contract.md#values-that-cannot-be-stored).
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD');
}

/** As {@link storableText}; null for an absent text. */
export function storableOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : storableText(text);
}

/** The first characters of a text, as the database counts and can store them; an astral character is not split. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return storableText(text);
  return storableText(
    Array.from(text.slice(0, 2 * most))
      .slice(0, most)
      .join(''),
  );
}

/** The bytes of a JSON value as the database writes it: with spaces, and numbers without an exponent. */
export function jsonBytes(value: unknown): number {
  if (typeof value === 'number') return digitsOf(value);
  if (typeof value !== 'object' || value === null) return Buffer.byteLength(JSON.stringify(value));
  const isList = Array.isArray(value);
  return Object.entries(value).reduce(
    (sum, [key, member]) => sum + jsonBytes(member) + 2 + (isList ? 0 : jsonBytes(key) + 2),
    2,
  );
}

function digitsOf(value: number): number {
  const text = String(value);
  const exponent = text.split('e')[1];
  return text.length + (exponent === undefined ? 0 : Math.abs(Number(exponent)));
}

/** A parsed object of JSON with all its texts and keys as the database can store them. */
export function storableJson(record: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [storableText(key), storableValue(value)]),
  );
}

function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableValue);
  return typeof value === 'object' && value !== null ? storableJson(value) : value;
}

/**
 * A JSON text without what any reader takes for the end of a line: newlines, which are between its tokens only, and U+0085,
 * U+2028 and U+2029, which are in its strings only.
 */
export function inOneLine(json: string): string {
  return json
    .replace(/[\r\n]+/g, ' ')
    .replace(/[\u0085\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * A text as searches compare it: what people take for equal is equal, whether composed or not, full-width, in capitals or with
 * a final sigma. The database has a function of this name for what it searches.
 */
export function searchText(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').replaceAll('ς', 'σ');
}

/** A word of a command, as it has to be written in a shell. */
export function shellWord(word: string): string {
  return /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
