import { parseDocument } from 'yaml';

/** How many bytes of a file are read. */
export const FRONT_MATTER_BYTES = 16 * 1024;
const MOST_LINES = 500;
const DEEPEST = 16;
const MOST_BRACKETS = 200;
/** Dashes and colons in a line: each can open a nesting level. */
const MOST_INDICATORS = 50;
const MOST_ALIASES = 20;

/** Parsed front matter; `absent` when the file has none. */
export type FrontMatter =
  | { readonly kind: 'mapping'; readonly values: Record<string, unknown> }
  | { readonly kind: 'absent' }
  | { readonly kind: 'broken'; readonly why: string };

/** Parses the YAML between the two `---` lines at the beginning of a file. */
export function readFrontMatter(text: string): FrontMatter {
  const [, yaml] = /^---[ \t]*\r?\n(.*?)^---[ \t]*\r?$/ms.exec(text) ?? [];
  if (yaml === undefined || !text.startsWith('---'))
    return /^---[ \t]*\r?\n/.test(text) && text.length >= FRONT_MATTER_BYTES
      ? broken('is too long')
      : { kind: 'absent' };
  if (yaml.length > FRONT_MATTER_BYTES || yaml.split('\n', MOST_LINES + 1).length > MOST_LINES)
    return broken('is too long');
  if (isTooComplex(yaml)) return broken('is too intricate');
  return parse(yaml);
}

function parse(yaml: string): FrontMatter {
  try {
    const document = parseDocument(yaml, { schema: 'core', logLevel: 'silent', prettyErrors: false });
    if (document.errors.length > 0) return broken('is not valid YAML');
    const values: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    if (typeof values !== 'object' || values === null || Array.isArray(values))
      return broken('is no mapping');
    return { kind: 'mapping', values: Object.fromEntries(Object.entries(values)) };
  } catch {
    return broken('is not valid YAML');
  }
}

/**
 * Detects input that the parser cannot handle: deep nesting overflows its stack, which crashes the whole process,
 * and nested explicit keys (`? `) take it minutes. Everything counts, even in quotes and comments, since brackets
 * cannot be distinguished from text without parsing.
 */
function isTooComplex(yaml: string): boolean {
  if ((yaml.match(/[[{]/g) ?? []).length > MOST_BRACKETS) return true;
  if (/(^|[\s[{,:-])\?(\s|$)/m.test(yaml)) return true;
  const indents: number[] = [];
  for (const line of yaml.split('\n')) {
    if ((line.match(/[-:](?=\s|$)/g) ?? []).length > MOST_INDICATORS) return true;
    const indent = line.length - line.trimStart().length;
    while (indents.length > 0 && (indents.at(-1) ?? 0) >= indent) indents.pop();
    indents.push(indent);
    if (indents.length > DEEPEST) return true;
  }
  return false;
}

function broken(why: string): FrontMatter {
  return { kind: 'broken', why };
}
