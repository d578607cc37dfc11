import fc from 'fast-check';
import { AddressRangeInvalidError, AddressRanges } from './address-ranges';

const canonical = (text: string): string[] => new AddressRanges([text]).texts;

describe('a range of addresses', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1/128'],
    ['2001:0db8::/32', '2001:db8::/32'],
    ['::/0', '::/0'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:10.0.0.1', '10.0.0.1/32'],
  ])('%s is %s', (text, expected) => {
    expect(canonical(text)).toEqual([expected]);
  });

  it.each([
    ['10.0.0.0/33', 'after the slash comes a number from 0 to 32'],
    ['::/200', 'after the slash comes a number from 0 to 128'],
    ['10.0.0.1/8', 'that range begins at 10.0.0.0'],
    ['2001:db8::1/32', 'that range begins at 2001:db8::'],
    ...['10.0.0.0/', '10.0.0.0/08', '10.0.0.0/-1', '10.0.0.0/8.0', '10.0.0.0/ 8', '10.0.0.0/1e1'].map(
      (text) => [text, 'after the slash comes a number from 0 to 32'],
    ),
    ...[
      '',
      '/8',
      '10.0.0',
      '10.0.0.0.0/8',
      '010.0.0.0/8',
      '::10.0.0.0/104',
      '0x0a.0.0.0',
      '167772160',
      ' 10.0.0.0',
      'fe80::1%eth0',
    ].map((text) => [text, 'it has to be an address, or one with /BITS']),
    ...['10.0.0.0/8/8', 'example.com', '10.0.0.0-10.0.0.9', '10.*', '[::1]', '::1::', 'any'].map((text) => [
      text,
      'it has to be an address, or one with /BITS',
    ]),
  ])('is not %j: %s', (text, problem) => {
    expect(() => canonical(text)).toThrow(AddressRangeInvalidError);
    expect(() => canonical(text)).toThrow(problem);
  });

  it('is told once', () => {
    expect(new AddressRanges(['10.0.0.0/8', '::ffff:10.0.0.0/104', '10.0.0.0/8']).texts).toEqual([
      '10.0.0.0/8',
    ]);
  });

  it('has no address that is none', () => {
    for (const text of ['unknown', '', '10.0.0.1:443', '10.0.0'])
      expect([text, new AddressRanges(['0.0.0.0/0', '::/0']).has(text)]).toEqual([text, false]);
  });

  it('has addresses whatever their form', () => {
    const ranges = new AddressRanges(['10.0.0.0/8', 'fe80::/10']);
    for (const text of ['10.1.2.3', '::ffff:10.1.2.3', '::FFFF:a01:203', 'fe80::1%eth0'])
      expect([text, ranges.has(text)]).toEqual([text, true]);
    expect(ranges.has('::10.1.2.3')).toBe(false);
  });
});

/** An address as the bits that it is, which is another way to say what is in a range. */
const bitsOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
const textOf = (bytes: Uint8Array): string =>
  bytes.length === 4
    ? bytes.join('.')
    : Array.from({ length: 8 }, (_, at) =>
        ((bytes[at * 2] ?? 0) * 256 + (bytes[at * 2 + 1] ?? 0)).toString(16),
      ).join(':');

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
/** Not of IPv4 in the form of IPv6, which is another address. */
const isPlain = (address: Uint8Array): boolean => address.length === 4 || address[0] !== 0;
const range = (length: number) =>
  fc
    .tuple(bytes(length).filter(isPlain), fc.integer({ min: length === 4 ? 0 : 8, max: length * 8 }))
    .map(([all, count]) => {
      const kept = all.map((byte, at) => byte & (0xff00 >> Math.min(8, Math.max(0, count - at * 8))));
      return { start: kept, count, text: `${textOf(kept)}/${count}` };
    });
const sized = fc.constantFrom(4, 16);

describe('ranges of addresses', () => {
  it('have the addresses with the same first bits, and no others', () => {
    fc.assert(
      fc.property(
        sized.chain((length) => fc.tuple(range(length), bytes(length).filter(isPlain), fc.boolean())),
        ([{ start, count, text }, other, isInside]) => {
          const ownBits = bitsOf(start).slice(0, count);
          const bits = isInside ? ownBits + bitsOf(other).slice(count) : bitsOf(other);
          const address = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
          fc.pre(isPlain(address));
          expect(new AddressRanges([text]).has(textOf(address))).toBe(bits.startsWith(ownBits));
        },
      ),
    );
  });

  it('are the same again in canonical form', () => {
    fc.assert(
      fc.property(fc.array(sized.chain(range), { maxLength: 5 }), (made) => {
        const { texts } = new AddressRanges(made.map(({ text }) => text));
        expect(new AddressRanges(texts).texts).toEqual(texts);
      }),
    );
  });

  it('cover others only where they have all of their addresses', () => {
    fc.assert(
      fc.property(
        sized.chain((length) => fc.tuple(range(length), range(length), bytes(length).filter(isPlain))),
        ([outer, inner, rest]) => {
          const covers = new AddressRanges([outer.text]).cover(new AddressRanges([inner.text]));
          const isPrefix = bitsOf(inner.start)
            .slice(0, inner.count)
            .startsWith(bitsOf(outer.start).slice(0, outer.count));
          expect(covers).toBe(isPrefix);
          const within = bitsOf(inner.start).slice(0, inner.count) + bitsOf(rest).slice(inner.count);
          const address = Uint8Array.from(within.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
          fc.pre(covers && isPlain(address));
          expect(new AddressRanges([outer.text]).has(textOf(address))).toBe(true);
        },
      ),
    );
  });

  it('cover none of the other family', () => {
    expect(new AddressRanges(['0.0.0.0/0']).cover(new AddressRanges(['2001:db8::/32']))).toBe(false);
    expect(new AddressRanges(['::/0']).cover(new AddressRanges(['10.0.0.0/8']))).toBe(false);
  });
});
