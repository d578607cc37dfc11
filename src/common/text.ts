/**
 * Text as the database can hold it: NUL and lone surrogates become U+FFFD
 * (docs/contract.md#values-that-cannot-be-stored).
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD');
}

/** A JSON value with all its texts and keys as the database can hold them. */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storableText(key), storableJson(item)]),
  );
}
