import { parseYaml, type YamlMapping } from './yaml-mapping';
import { Lexer } from 'yaml';

/** Levels of nesting: of lines by their indentation and what a line opens, or of brackets. */
const DEEPEST = 16;
/** The lexer's sign that the next token is text. */
const TEXT_FOLLOWS = '\u001F';

interface Token {
  readonly source: string;
  /** Whether it is text, and no indicator. */
  readonly isText: boolean;
}

function* tokensOf(yaml: string): Iterable<Token> {
  let isText = false;
  for (const source of new Lexer().lex(yaml)) {
    if (source !== TEXT_FOLLOWS) yield { source, isText };
    isText = source === TEXT_FOLLOWS;
  }
}

/**
 * Detects input that the parser cannot handle: deep nesting overflows its stack, which crashes the whole process,
 * and nested explicit keys (`? `) take it minutes. The lexer, which does not recurse, distinguishes indicators from text.
 */
function isTooComplex(yaml: string): boolean {
  const indents: number[] = [];
  let column = 0;
  let openedInLine = 0;
  let brackets = 0;
  for (const { source, isText } of tokensOf(yaml)) {
    const indicator = isText ? '' : source;
    if (indicator === '?') return true;
    if ('[{'.includes(indicator)) brackets += indicator.length;
    if (']}'.includes(indicator)) brackets = Math.max(0, brackets - indicator.length);
    if (brackets === 0 && '-:'.includes(indicator)) openedInLine += indicator.length;
    if (openedInLine === 0 && source.trim() !== '') {
      while ((indents.at(-1) ?? -1) >= column) indents.pop();
      indents.push(column);
    }
    if (brackets > DEEPEST || indents.length + openedInLine > DEEPEST) return true;
    column += source.length;
    if (source.endsWith('\n')) column = openedInLine = 0;
  }
  return false;
}

/** How many bytes of a file are read. */
export const FRONT_MATTER_BYTES = 16 * 1024;
const MOST_LINES = 500;

/** White space to agent servers; a byte order mark is none. */
const SPACE = '(?:(?!\\uFEFF)[\\s\\u0085])';
const AT_START = new RegExp(`^${SPACE}*`);
/** A line of three dashes or more. */
const FENCE = new RegExp(`(?:^|(?<=\\n))-{3,}${SPACE}*(?=\\n|$)`, 'g');
/** JSON is front matter to agent servers, too. */
const JSON_FENCE = /^\{\n/;
/** What agent servers refuse in YAML: control characters and the like. */
const UNPRINTABLE = /[^\t\n\x20-\x7E\u0085\u00A0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]/u;
/** Ends of lines to agent servers only. */
const OTHER_LINE_ENDS = /[\u0085\u2028\u2029]/;

/** Parsed front matter. */
type FrontMatter =
  | { readonly kind: 'mapping'; readonly values: YamlMapping }
  /** To agent servers there is none, and the rest of the file counts; `why` where it seems to have some. */
  | { readonly kind: 'absent'; readonly why: string | null }
  | { readonly kind: 'broken'; readonly why: string };

/**
 * Parses the YAML between two lines of dashes at the beginning of a file, by the rules of the agent server.
 * @param text the beginning of the file
 * @param isWhole whether that is the whole file
 */
export function readFrontMatter(text: string, isWhole: boolean): FrontMatter {
  const lines = text.replace(/\r\n?/g, '\n').replace(AT_START, '');
  if (lines.startsWith('\uFEFF'))
    return readFrontMatter(lines.slice(1), isWhole).kind === 'absent'
      ? { kind: 'absent', why: null }
      : { kind: 'absent', why: 'has front matter that a byte order mark hides from agent servers' };
  if (JSON_FENCE.test(lines)) return { kind: 'absent', why: 'has front matter that is no YAML' };
  // What looks like a fence at the end may go on.
  const known = isWhole ? lines : lines.slice(0, lines.lastIndexOf('\n') + 1);
  const [opening, closing] = known.matchAll(FENCE);
  if (opening?.index !== 0) return { kind: 'absent', why: null };
  if (closing === undefined) return isWhole ? { kind: 'absent', why: null } : broken('is too long');
  return read(known.slice(opening[0].length, closing.index));
}

function read(yaml: string): FrontMatter {
  if (yaml.split('\n', MOST_LINES + 1).length > MOST_LINES) return broken('is too long');
  if (UNPRINTABLE.test(yaml)) return broken('has control characters');
  if (OTHER_LINE_ENDS.test(yaml)) return broken('has line separators that are no ends of lines');
  if (isTooComplex(yaml)) return broken('is too intricate');
  const reading = parseYaml(yaml);
  if (reading === null) return broken('is not valid YAML');
  if ('mapping' in reading) return { kind: 'mapping', values: reading.mapping };
  if (reading.other === null) return { kind: 'mapping', values: new Map() };
  return { kind: 'absent', why: 'has front matter that is no mapping' };
}

function broken(why: string): FrontMatter {
  return { kind: 'broken', why: `has front matter that ${why}` };
}
