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
 * and nested explicit keys (`? `) take it minutes. The lexer, which does not recurse, tells indicators from text.
 */
export function isTooComplex(yaml: string): boolean {
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
