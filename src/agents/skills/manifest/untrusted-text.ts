const LONGEST_NAME = 200;
const LONGEST_DESCRIPTION = 2_000;
/** Whole paths of real files fit; sentences stay short. */
const LONGEST_QUOTE = 250;
/**
 * Control and format characters (including those for the writing direction) and line separators; not the two that
 * join or separate letters and emoji (U+200C, U+200D), which many languages are written with.
 */
const INVISIBLE = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const EACH_INVISIBLE = new RegExp(INVISIBLE.source, 'gu');

/** A name that is safe to return, or null: visible text of limited length, without markup. */
export function asName(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = value.trim();
  return name === '' || name.length > LONGEST_NAME || INVISIBLE.test(name) || /[<>]/.test(name) ? null : name;
}

/** A description without invisible characters, truncated if too long; empty if it is not a string. */
export function asDescription(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value.slice(0, LONGEST_DESCRIPTION + 1).replace(EACH_INVISIBLE, ' ');
  return text.length > LONGEST_DESCRIPTION ? `${text.slice(0, LONGEST_DESCRIPTION - 1).trimEnd()}…` : text;
}

/** An untrusted path or name, made safe to quote in a sentence. */
export function quoted(text: string): string {
  const shown = text.replace(EACH_INVISIBLE, '\uFFFD').replace(/[<>]/g, '\uFFFD');
  return shown.length > LONGEST_QUOTE ? `"${shown.slice(0, LONGEST_QUOTE - 1)}…"` : `"${shown}"`;
}

/** The text of a file, without its byte order mark unless that is wanted, or null when it is not UTF-8. */
export function asText(bytes: Uint8Array, { withMark = false } = {}): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: withMark }).decode(bytes);
  } catch {
    return null;
  }
}
