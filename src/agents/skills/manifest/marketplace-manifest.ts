import { isRecord } from '../../../kernel/common';

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
function asDescription(value: unknown): string {
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

/** Limit of each list in a manifest. */
const MOST_ENTRIES = 2_000;
/** So many that a real marketplace gets every error reported; each has at most some hundred characters. */
const MOST_PROBLEMS = 1_000;

/** What a manifest offers. */
export interface ManifestOffer {
  readonly plugins: readonly { readonly name: string; readonly description: string }[];
  readonly skills: readonly { readonly name: string }[];
  /** Why entries were left out. */
  readonly problems: readonly string[];
}

/** A parsed manifest, or why it is invalid as a whole. */
export type ManifestReading = { readonly offer: ManifestOffer } | { readonly broken: string };

/** Parses a `marketplace.json`; an invalid entry does not invalidate the others. */
export function readManifest(bytes: Uint8Array): ManifestReading {
  const text = asText(bytes);
  if (text === null) return { broken: 'is not UTF-8' };
  const manifest = parse(text);
  if (manifest === undefined) return { broken: 'is not valid JSON' };
  if (!isRecord(manifest)) return { broken: 'is no JSON object' };
  const { plugins = [], skills = [] } = manifest;
  if (!Array.isArray(plugins)) return { broken: 'has plugins that are no list' };
  if (!Array.isArray(skills)) return { broken: 'has skills that are no list' };
  const problems: string[] = [];
  return {
    offer: {
      plugins: entries(plugins, 'plugin', problems).map(({ name, entry }) => ({
        name,
        description: asDescription(entry.description),
      })),
      skills: entries(skills, 'skill', problems).map(({ name }) => ({ name })),
      problems: bounded(problems),
    },
  };
}

/** The first problems, and how many more there are. */
export function bounded(problems: readonly string[]): string[] {
  const more = problems.length - MOST_PROBLEMS;
  return more > 0 ? [...problems.slice(0, MOST_PROBLEMS), `and ${more} more problems`] : [...problems];
}

function entries(
  list: readonly unknown[],
  what: string,
  problems: string[],
): { name: string; entry: Record<string, unknown> }[] {
  if (list.length > MOST_ENTRIES)
    problems.push(`the manifest lists more than ${MOST_ENTRIES} ${what}s; the others are left out`);
  return list.slice(0, MOST_ENTRIES).flatMap((entry, index) => {
    const name = isRecord(entry) ? asName(entry.name) : null;
    if (isRecord(entry) && name !== null) return [{ name, entry }];
    const which = `${what} ${index + 1} of the manifest`;
    if (!isRecord(entry)) problems.push(`${which} is no object`);
    else if (typeof entry.name !== 'string') problems.push(`${which} has no name`);
    else problems.push(`${which} has a name that is not usable: ${quoted(entry.name)}`);
    return [];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
