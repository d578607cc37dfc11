const LONGEST_NAME = 200;
const LONGEST_DESCRIPTION = 2_000;
const LONGEST_QUOTE = 80;
/** Control and format characters (the ones that turn the direction of writing among them), separators of lines. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const EACH_UNSEEN = new RegExp(UNSEEN.source, 'gu');

/** A name as it may be answered, or null: it has to be visible text of a bounded length, without markup. */
export function asName(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = value.trim();
  return name === '' || name.length > LONGEST_NAME || UNSEEN.test(name) || /[<>]/.test(name) ? null : name;
}

/** A description without what cannot be seen, cut where it is too long; empty for what is no text. */
export function asDescription(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value.slice(0, LONGEST_DESCRIPTION + 1).replace(EACH_UNSEEN, ' ');
  return text.length > LONGEST_DESCRIPTION ? `${text.slice(0, LONGEST_DESCRIPTION - 1).trimEnd()}…` : text;
}

/** A stranger's path or name as it may stand in a sentence. */
export function quoted(text: string): string {
  const shown = text.replace(EACH_UNSEEN, '\uFFFD').replace(/[<>]/g, '\uFFFD');
  return shown.length > LONGEST_QUOTE ? `"${shown.slice(0, LONGEST_QUOTE - 1)}…"` : `"${shown}"`;
}

/** The text of a file, or null when it is no UTF-8. A mark of the byte order is left out. */
export function asText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
