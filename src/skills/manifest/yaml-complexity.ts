import { Lexer } from 'yaml';

/** Levels of nesting: of lines by their indentation and what a line opens, or of brackets. */
const DEEPEST = 16;
/** The lexer's sign that the next token is text. */
const TEXT_FOLLOWS = '\u001F';

/**
 * Detects input that the parser cannot handle: deep nesting overflows its stack, which crashes the whole process,
 * and nested explicit keys (`? `) take it minutes. The lexer, which does not recurse, tells indicators from text.
 */
export function isTooComplex(yaml: string): boolean {
  const indents: number[] = [];
  let column = 0;
  let openedInLine = 0;
  let brackets = 0;
  let isText = false;
  for (const token of new Lexer().lex(yaml)) {
    if (token === TEXT_FOLLOWS) {
      isText = true;
      continue;
    }
    const indicator = isText ? '' : token;
    isText = false;
    if (indicator === '?') return true;
    if (indicator === '[' || indicator === '{') brackets += 1;
    if (indicator === ']' || indicator === '}') brackets = Math.max(0, brackets - 1);
    if (brackets === 0 && (indicator === '-' || indicator === ':')) openedInLine += 1;
    if (openedInLine === 0 && token.trim() !== '') {
      while ((indents.at(-1) ?? -1) >= column) indents.pop();
      indents.push(column);
    }
    if (brackets > DEEPEST || indents.length + openedInLine > DEEPEST) return true;
    column += token.length;
    if (token.endsWith('\n')) column = openedInLine = 0;
  }
  return false;
}
