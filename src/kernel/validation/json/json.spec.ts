import * as fc from 'fast-check';
import { BodyParseError, ValidationError } from '../errors/validation.errors';
import { isJsonContentType } from './content-type';
import { decodeJsonBytes } from './decode';
import { ExactNumber, isJsonObject, keysOf, withPlainNumbers } from './exact-values';
import { JsonLimitError, JsonSyntaxError } from './json-errors';
import { parseBody } from '../request/parse-body';
import { rawJsonAt, mayBreakLimits } from './raw-json';
import { MAX_DEPTH, readExactJson } from './read-exact';
import { writeJson } from './write-json';
import { threadCpuMs } from '../../../../test/support/event-loop-stall';
import { timeBound } from '../../../../test/support/time-bound';

function errorOf(text: string): [string, number] | 'valid' {
  try {
    readExactJson(text);
    return 'valid';
  } catch (error) {
    if (error instanceof JsonSyntaxError) return [error.reason, error.position];
    throw error;
  }
}

function objectFrom(value: unknown): object {
  if (!isJsonObject(value)) throw new Error('not an object');
  return value;
}

describe('the exact reading of JSON', () => {
  it.each([
    ['', 'Expecting value', 0],
    [' \n', 'Expecting value', 2],
    ['\u00a01', 'Expecting value', 0],
    ['[,1]', 'Expecting value', 1],
    ['{"a":', 'Expecting value', 5],
    ['[1,', 'Expecting value', 3],
    ['nul', 'Expecting value', 0],
    ['-', 'Expecting value', 0],
    ['+1', 'Expecting value', 0],
    ['.5', 'Expecting value', 0],
    ['null1', 'Extra data', 4],
    ['01', 'Extra data', 1],
    ['1.', 'Extra data', 1],
    ['1e+', 'Extra data', 1],
    ['[01]', "Expecting ',' delimiter", 2],
    ['["a" "b"]', "Expecting ',' delimiter", 5],
    ['{"a":1 "b":2}', "Expecting ',' delimiter", 7],
    ['[1', "Expecting ',' delimiter", 2],
    ['{', 'Expecting property name enclosed in double quotes', 1],
    ["{'a':1}", 'Expecting property name enclosed in double quotes', 1],
    ['{"a":1,', 'Expecting property name enclosed in double quotes', 7],
    ['{"a" 1}', "Expecting ':' delimiter", 5],
    ['{"a":1 , }', 'Illegal trailing comma before end of object', 7],
    ['[1,]', 'Illegal trailing comma before end of array', 2],
    ['"abc', 'Unterminated string starting at', 0],
    ['["a\\', 'Unterminated string starting at', 1],
    ['"a\nb"', 'Invalid control character at', 2],
    ['"\\x"', 'Invalid \\escape', 1],
    ['"\\u12"', 'Invalid \\uXXXX escape', 2],
    ['"\\u12G4"', 'Invalid \\uXXXX escape', 2],
    ['"\\u1234', 'Invalid \\uXXXX escape', 2],
    ['"\\ud83d\\uZZZZ"', 'Invalid \\uXXXX escape', 8],
    ['["😀",]', 'Illegal trailing comma before end of array', 4],
  ])('tells what is wrong with %j, and where', (text, reason, position) => {
    expect(errorOf(text)).toEqual([reason, position]);
  });

  it('keeps numbers as they were written', () => {
    expect(readExactJson('[1,-1,1.5,0]')).toEqual([1, -1, 1.5, 0]);
    for (const text of ['1.0', '1e3', '-0', '-0.0', '12345678901234567890123', '1e999']) {
      const number = readExactJson(text);
      expect(number).toBeInstanceOf(ExactNumber);
      expect(writeJson(number, 100)).toBe(text === '1e999' ? 'null' : text);
    }
    expect(withPlainNumbers(readExactJson('{"a":[1.0,{"b":1e3}],"__proto__":2.0}'))).toEqual(
      JSON.parse('{"a":[1,{"b":1000}],"__proto__":2}'),
    );
  });

  it('takes NaN and the infinities for values', () => {
    expect(readExactJson('[NaN, Infinity, -Infinity]')).toEqual([NaN, Infinity, -Infinity]);
    expect(writeJson(readExactJson('[NaN]'), 100)).toBe('[null]');
  });

  it('lets the last of equal keys win, keeps the order of keys, and knows no magic ones', () => {
    expect(readExactJson('{"a":1,"b":2,"a":3}')).toEqual({ a: 3, b: 2 });
    const object = objectFrom(readExactJson('{"b":1,"2":1,"1":1}'));
    expect(keysOf(object)).toEqual(['b', '2', '1']);
    expect(writeJson(object, 100)).toBe('{"b":1,"2":1,"1":1}');
    const magic = objectFrom(readExactJson('{"__proto__":{"polluted":true},"constructor":1}'));
    expect(Object.keys(magic)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(magic)).toBe(Object.prototype);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('agrees with JSON.parse on every valid text', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(withPlainNumbers(readExactJson(text))).toEqual(
          JSON.parse(text, (_key, value: unknown) => (Object.is(value, -0) ? 0 : value)),
        );
      }),
    );
  });

  it('throws its own errors only, whatever the text', () => {
    const pieces = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      '"',
      ',',
      ':',
      '\\',
      '\\u',
      'd800',
      '1',
      '-',
      '.',
      'e',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        let standard: unknown;
        try {
          standard = JSON.parse(text);
        } catch {
          standard = undefined;
        }
        const error = errorOf(text);
        if (standard !== undefined) expect(error).toBe('valid');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a body', () => {
  const parse = (bytes: Buffer | string, type?: string) => parseBody(Buffer.from(bytes), type);

  it('is JSON without a content type, and with any of its names', () => {
    for (const type of [
      undefined,
      '',
      'application/json',
      'APPLICATION/JSON ; charset=latin1',
      'application/x+json',
    ]) {
      expect(isJsonContentType(type)).toBe(true);
    }
    for (const type of [
      'text/plain',
      'application',
      'application/json/x',
      'application/jsonx',
      'text/json',
    ]) {
      expect(isJsonContentType(type)).toBe(false);
    }
    expect(parse('{"a":1}', 'text/plain').value).toBe('{"a":1}');
    expect(parse('', 'text/plain').value).toBeUndefined();
  });

  it('is read in every encoding of Unicode, with and without a byte order mark', () => {
    const text = '{"é":"😀"}';
    const utf16 = Buffer.from(text, 'utf16le');
    const utf32 = Buffer.concat(
      Array.from(text, (character) => {
        const unit = Buffer.alloc(4);
        unit.writeUInt32LE(character.codePointAt(0) ?? 0);
        return unit;
      }),
    );
    const bigEndian32 = Buffer.from(utf32).swap32();
    const encodings = [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      utf16,
      Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
      Buffer.from(utf16).swap16(),
      Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]),
      utf32,
      Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), utf32]),
      bigEndian32,
      Buffer.concat([Buffer.from([0, 0, 0xfe, 0xff]), bigEndian32]),
    ];
    for (const bytes of encodings) expect(parse(bytes).value).toEqual({ é: '😀' });
    expect(parse(Buffer.from('"\ud800"', 'utf16le')).value).toBe('\ud800');
    expect(parse(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])).value).toBe('\ud800');
  });

  it('is refused with 400 when its bytes are no text', () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0xff, 0xfe, 0x22],
      [0, 0, 0, 0x22, 0],
      [0, 0x11, 0, 0],
      [0x22, 0xed, 0xa0],
    ]) {
      if (decodeJsonBytes(Buffer.from(bytes)) === null)
        expect(() => parse(Buffer.from(bytes))).toThrow(BodyParseError);
      else expect(() => parse(Buffer.from(bytes))).toThrow(ValidationError);
    }
    expect(decodeJsonBytes(Buffer.from([0xff, 0xfe, 0, 0, 0, 0, 0x11, 0]))).toBeNull();
  });

  it('is refused with 400 when it nests too deep, and never costs the stack', () => {
    for (const depth of [MAX_DEPTH + 1, 100_000, 1_000_000]) {
      expect(() => parse('['.repeat(depth))).toThrow(BodyParseError);
      expect(() => parse('{"a":'.repeat(depth))).toThrow(BodyParseError);
    }
    const deepest = '['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH);
    expect(writeJson(parse(deepest).exactValue(), 1e6)).toBe(deepest);
    expect(parse(`"${'['.repeat(5000)}"`).value).toHaveLength(5000);
    expect(parse(`[${'[],'.repeat(50_000)}[]]`).value).toHaveLength(50_001);
  });

  it('is refused with 400 for an integer of more than 4300 digits, wherever it stands', () => {
    expect(() => parse(`{"ignored":${'1'.repeat(4301)}}`)).toThrow(BodyParseError);
    expect(parse(`{"ignored":-${'1'.repeat(4300)}}`).value).toBeDefined();
    expect(parse(`{"text":"${'1'.repeat(9000)}"}`).value).toBeDefined();
    expect(parse(`[1.${'1'.repeat(9000)}]`).value).toBeDefined();
    expect(() => readExactJson('1'.repeat(4301))).toThrow(JsonLimitError);
    expect(mayBreakLimits(' '.repeat(4299) + '1'.repeat(4301))).toBe(true);
  });

  it('takes time in proportion to its length', () => {
    const times = [500_000, 1_000_000].map((length) => {
      const started = threadCpuMs();
      for (const piece of ['[', ']', '{"a":', '"', '\\', '"\\u', '1', '[1.0,', '{"__proto__":', ' ']) {
        const text = piece.repeat(Math.floor(length / piece.length));
        expect(() => parse(text)).toThrow();
        expect(rawJsonAt(text, ['absent']) === undefined).toBe(true);
      }
      return threadCpuMs() - started;
    });
    expect(times[1]! / times[0]!).toBeLessThan(6);
    expect(times[1]!).toBeLessThan(timeBound(5000));
  });
});

describe('the raw text of a part', () => {
  it('is what came, verbatim', () => {
    const text =
      ' { "a" : [1.0, {"b" : "x\\"]}" }, 3 ] ,"content": [ { "type":"text" } ]  , "n":-1.50e3,"\\u0061":true}';
    expect(rawJsonAt(text, ['content'])).toBe('[ { "type":"text" } ]');
    expect(rawJsonAt(text, ['content', 0])).toBe('{ "type":"text" }');
    expect(rawJsonAt(text, ['n'])).toBe('-1.50e3');
    expect(rawJsonAt(text, ['a'])).toBe('true');
    expect(rawJsonAt(text, ['missing'])).toBeUndefined();
    expect(rawJsonAt(text, ['content', 1])).toBeUndefined();
    expect(rawJsonAt(text, ['n', 0])).toBeUndefined();
    expect(rawJsonAt('[]', [0])).toBeUndefined();
    expect(rawJsonAt(' [1] ', [])).toBe('[1]');
  });

  it('has the value of that part, for every document', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
        fc.nat(4),
        (object, indent) => {
          const text = JSON.stringify(object, null, indent);
          for (const [key, value] of Object.entries(object)) {
            expect(JSON.parse(rawJsonAt(text, [key]) ?? '')).toEqual(JSON.parse(JSON.stringify(value)));
          }
        },
      ),
    );
  });
});
