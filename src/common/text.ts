/**
 * Text as the database can hold it: NUL and lone surrogates become U+FFFD
 * (docs/contract.md#values-that-cannot-be-stored).
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD');
}

/** A parsed object of JSON with all its texts and keys as the database can hold them. */
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
