/** Beginnings that make a spreadsheet compute a field instead of showing it, full-width forms included. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
const TO_QUOTE = /[",\r\n]/;
/** Most texts are plain, and tested once. */
const NOT_PLAIN = new RegExp(`${FORMULA.source}|${TO_QUOTE.source}`);

/** Records as lines of an export (RFC 4180), with some of their fields in a fixed order. */
export class CsvLines {
  /** The first line of an export. */
  readonly header: string;

  /** @param names of the fields */
  constructor(private readonly names: readonly string[]) {
    this.header = `${names.join(',')}\r\n`;
  }

  /** A record as one line. Lists and objects are JSON, null is an empty field. */
  line(record: object): string {
    const values = new Map<string, unknown>(Object.entries(record));
    return `${this.names.map((name) => csvField(values.get(name))).join(',')}\r\n`;
  }
}

/** A value as a field. Lists and objects are JSON, null is empty. */
export function csvField(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return csvText(typeof value === 'string' ? value : JSON.stringify(value));
}

/** A text as a field; what a spreadsheet would compute gets an apostrophe in front. */
export function csvText(text: string): string {
  if (!NOT_PLAIN.test(text)) return text;
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return TO_QUOTE.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
