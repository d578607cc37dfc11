import { ExactNumber, isIntegerText, recordKeyOrder } from './exact-values';
import { JsonLimitError, JsonSyntaxError } from './json-errors';

/** How deep arrays and objects may nest; beyond, the body is refused with 400. */
export const MAX_DEPTH = 1000;

/** The longest integer that is read; beyond, the body is refused with 400. */
export const MAX_INTEGER_DIGITS = 4300;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const HEX4 = /^[0-9a-fA-F]{4}$/;
const DIGIT_KEY = /^[0-9]/;
const WORDS: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
];
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/**
 * Parses a JSON text without loss: numbers keep their spelling, errors have their position, the last of
 * several equal keys wins, `NaN` and `Infinity` are values. Slower than `JSON.parse`, but linear.
 * @throws JsonSyntaxError, JsonLimitError
 */
export function readExactJson(text: string): unknown {
  return new ExactReader(text).read();
}

interface Open {
  readonly array: unknown[] | undefined;
  readonly members: Map<string, unknown>;
  key: string;
}

class ExactReader {
  private at = 0;
  private readonly open: Open[] = [];

  constructor(private readonly text: string) {}

  read(): unknown {
    this.skipSpace();
    let value = this.openOrScalar();
    for (;;) {
      const parent = this.open.at(-1);
      if (!parent) break;
      if (value === OPENED) {
        value = this.openOrScalar();
        continue;
      }
      this.add(parent, value);
      value = this.next(parent);
    }
    this.skipSpace();
    if (this.at < this.text.length) throw this.syntaxError('Extra data', this.at);
    return value;
  }

  /** Reads a scalar or an empty container whole; of any other container its opening and, in an object, a key. */
  private openOrScalar(): unknown {
    const start = this.text[this.at];
    if (start === '"') return this.string();
    if (start !== '[' && start !== '{') return this.wordOrNumber();
    if (this.open.length >= MAX_DEPTH) throw new JsonLimitError('The JSON text nests too deep.');
    this.at++;
    this.skipSpace();
    if (start === '[') {
      if (this.take(']')) return [];
      this.open.push({ array: [], members: new Map(), key: '' });
    } else {
      if (this.take('}')) return {};
      this.open.push({ array: undefined, members: new Map(), key: this.key() });
    }
    return OPENED;
  }

  private add(parent: Open, value: unknown): void {
    if (parent.array) parent.array.push(value);
    else parent.members.set(parent.key, value);
  }

  /** After a member or an item: moves to the next one, or closes the container and gives its value. */
  private next(parent: Open): unknown {
    const { array } = parent;
    this.skipSpace();
    if (this.take(array ? ']' : '}')) {
      this.open.pop();
      return array ?? objectOf(parent.members);
    }
    const comma = this.at;
    if (!this.take(',')) throw this.syntaxError("Expecting ',' delimiter", this.at);
    this.skipSpace();
    if (this.text[this.at] === (array ? ']' : '}')) {
      throw this.syntaxError(`Illegal trailing comma before end of ${array ? 'array' : 'object'}`, comma);
    }
    if (!array) parent.key = this.key();
    return OPENED;
  }

  /** A key, its colon and the white space around it. */
  private key(): string {
    if (this.text[this.at] !== '"') {
      throw this.syntaxError('Expecting property name enclosed in double quotes', this.at);
    }
    const key = this.string();
    this.skipSpace();
    if (!this.take(':')) throw this.syntaxError("Expecting ':' delimiter", this.at);
    this.skipSpace();
    return key;
  }

  private string(): string {
    const { text } = this;
    const begin = this.at;
    let done = '';
    let from = begin + 1;
    for (let i = from; ; i++) {
      if (i >= text.length) throw this.syntaxError('Unterminated string starting at', begin);
      const code = text.charCodeAt(i);
      if (code === 0x22) {
        this.at = i + 1;
        return done + text.slice(from, i);
      }
      if (code < 0x20) throw this.syntaxError('Invalid control character at', i);
      if (code !== 0x5c) continue;
      done += text.slice(from, i);
      const letter = text[i + 1];
      if (letter === undefined) throw this.syntaxError('Unterminated string starting at', begin);
      if (letter === 'u') {
        const hex = text.slice(i + 2, i + 6);
        // A text that ends right after the digits has no closing quote; it is reported as a bad escape.
        if (i + 6 >= text.length || !HEX4.test(hex)) throw this.syntaxError('Invalid \\uXXXX escape', i + 1);
        done += String.fromCharCode(parseInt(hex, 16));
        i += 5;
      } else {
        const escaped = ESCAPES[letter];
        if (escaped === undefined) throw this.syntaxError('Invalid \\escape', i);
        done += escaped;
        i += 1;
      }
      from = i + 1;
    }
  }

  private wordOrNumber(): unknown {
    for (const [word, value] of WORDS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    NUMBER.lastIndex = this.at;
    const [number] = NUMBER.exec(this.text) ?? [];
    if (number === undefined) throw this.syntaxError('Expecting value', this.at);
    this.at += number.length;
    if (number.length > MAX_INTEGER_DIGITS && isIntegerText(number)) {
      const digits = number.startsWith('-') ? number.length - 1 : number.length;
      if (digits > MAX_INTEGER_DIGITS) throw new JsonLimitError('An integer has too many digits.');
    }
    const value = Number(number);
    return String(value) === number ? value : new ExactNumber(number);
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private syntaxError(reason: string, index: number): JsonSyntaxError {
    let position = 0;
    for (let i = 0; i < index; position++) i += (this.text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
    return new JsonSyntaxError(reason, position);
  }
}

/** Stands for a container whose first or next value is still to be read. */
const OPENED = Symbol('opened');

function objectOf(members: Map<string, unknown>): object {
  // fromEntries defines its properties, so that a key `__proto__` is data like any other.
  const object = Object.fromEntries(members);
  const keys = [...members.keys()];
  if (keys.some((key) => DIGIT_KEY.test(key))) recordKeyOrder(object, keys);
  return object;
}
