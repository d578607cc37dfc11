import { declaredFields } from '../../../../kernel/validation';
import { OrgConversationResponse } from '../list/org-conversations.dto';

/** Beginnings that make a spreadsheet compute a field instead of showing it, full-width forms included. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
const TO_QUOTE = /[",\r\n]/;
/** Most texts are plain, and tested once. */
const NOT_PLAIN = new RegExp(`${FORMULA.source}|${TO_QUOTE.source}`);

/** The fields of a conversation, in the order of the interface. */
const NAMES = declaredFields(OrgConversationResponse).map(({ name }) => name);

/** The first line of an export. */
export const CSV_HEADER = `${NAMES.join(',')}\r\n`;

/** A conversation as one line of an export (RFC 4180), with its fields under their names. */
export function csvLine(conversation: OrgConversationResponse): string {
  const values = new Map<string, unknown>(Object.entries(conversation));
  return `${NAMES.map((name) => csvField(values.get(name))).join(',')}\r\n`;
}

/** Lists and objects are JSON, null is an empty field. */
function csvField(value: unknown): string {
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
