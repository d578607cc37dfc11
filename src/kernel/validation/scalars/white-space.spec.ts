import fc from 'fast-check';
import { commaListCheck } from '../checks/containers';
import { Cursor } from '../errors/cursor';
import { stripWhiteSpace } from './white-space';

/** Written out, not computed: U+0009 to U+000D, U+001C to U+0020, and the others one by one. */
const TRIMMED = [
  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002,
  0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
].map((code) => String.fromCharCode(code));

const space = fc.array(fc.constantFrom(...TRIMMED)).map((characters) => characters.join(''));
const anyText = fc.string({ unit: 'binary' });
const check = commaListCheck((value) => value);

describe('white space', () => {
  it('is 29 characters of the Basic Multilingual Plane, and no other', () => {
    const stripped = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
      (character) => stripWhiteSpace(character) === '',
    );
    expect(stripped).toEqual(TRIMMED);
  });

  it('is taken off both ends of a text, and nothing else is', () => {
    fc.assert(
      fc.property(space, anyText, space, (before, text, after) => {
        const stripped = stripWhiteSpace(before + text + after);
        expect(stripped).toBe(stripWhiteSpace(text));
        expect(TRIMMED).not.toContain(stripped.charAt(0));
        expect(TRIMMED).not.toContain(stripped.charAt(stripped.length - 1));
        expect(text).toContain(stripped);
      }),
    );
  });

  it('is taken off the items of a comma list, and items of nothing else are left out', () => {
    const item = anyText.map((text) => text.replaceAll(',', ''));
    const padded = fc.tuple(space, item, space);
    fc.assert(
      fc.property(fc.array(padded), (items) => {
        const text = items.map((parts) => parts.join('')).join(',');
        const expected = items.map((parts) => stripWhiteSpace(parts.join(''))).filter((part) => part !== '');
        expect(check(text, new Cursor(false, true))).toEqual(expected);
      }),
    );
  });

  it('is no byte order mark: an item of one is an item', () => {
    expect(check('a,\ufeff,\ufeffb\u0085,\u001f', new Cursor(false, true))).toEqual([
      'a',
      '\ufeff',
      '\ufeffb',
    ]);
  });
});
