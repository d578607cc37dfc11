import fc from 'fast-check';
import { GitAddressProblem, isBelow, readGitAddress } from './git-address';

const PREFIX = 'https://git.example/acme';

describe('an address below a prefix', () => {
  it.each([
    ['https://git.example/acme', PREFIX],
    ['https://git.example/acme/shop.git', PREFIX],
    ['https://git.example/acme/shop', `${PREFIX}/shop.git`],
    ['https://git.example/acme/shop.git/', `${PREFIX}/shop`],
    ['HTTPS://acme@GIT.example.:443/acme/shop', PREFIX],
    ['https://git.example/%61cme/shop', PREFIX],
    ['https://git.example/acme/a%20b', `${PREFIX}/a b`],
    ['https://git.example/acme/shop', 'https://git.example'],
  ])('is %s, of %s', (address, prefix) => {
    expect(isBelow(address, prefix)).toBe(true);
  });

  it.each([
    'https://git.example/acme-other/shop',
    'https://git.example/Acme/shop',
    'https://git.example/other/acme/shop',
    'https://git.example:444/acme/shop',
    'http://git.example/acme/shop',
    'https://git.example.evil.example/acme/shop',
    'https://git.example@evil.example/acme/shop',
    'https://evil.example\\@git.example/acme/shop',
  ])('is not %s', (address) => {
    expect(isBelow(address, PREFIX)).toBe(false);
  });

  const TRICKS = [
    '..',
    '.',
    '',
    '%2e%2e',
    '.%2E',
    '%2e',
    '%252e%252e',
    '%25252e.',
    '..;',
    '..;x=1',
    ';',
    '%2e%2e%3bx',
    ' ..',
    '..%2f',
    '%2f',
    '%2F..',
    '%252f',
    '%5c',
    '%255c',
    '\\',
    '..\\',
    '\uff0e\uff0e',
    '\u2025',
    '\uff0f',
    '%ef%bc%8f',
    '%00',
    '\t',
    '%0d%0a',
    '%',
    '%zz',
    '%c0%ae%c0%ae',
    '%e0%80%af',
  ];

  it.each(TRICKS)('is never one with %j for a name', (trick) => {
    const address = `https://git.example/acme/${trick}/secret`;
    expect(() => readGitAddress(address)).toThrow(GitAddressProblem);
    expect([isBelow(address, PREFIX), isBelow(`${PREFIX}/secret`, address)]).toEqual([false, false]);
  });

  it('is one as every reader of it has it', () => {
    // What others do with a path: decode it, once or more often, take parameters off, resolve dots.
    const readings = (path: string): string[][] => {
      const found: string[][] = [];
      for (let text = path, rounds = 0; rounds < 4; rounds++) {
        for (const read of [
          text,
          text.replace(/;[^/]*/g, ''),
          text.replaceAll('\\', '/'),
          text.normalize('NFKC'),
        ])
          found.push(resolved(read));
        try {
          text = decodeURIComponent(text);
        } catch {
          break;
        }
      }
      return found;
    };
    const resolved = (path: string): string[] =>
      path.split('/').reduce<string[]>((names, name) => {
        if (name === '..') return names.slice(0, -1);
        return name === '.' || name === '' ? names : [...names, name];
      }, []);
    const piece = fc.constantFrom('acme', 'secret', 'a', '/', ...TRICKS);
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
        const path = `/acme/${pieces.join('')}`;
        if (!isBelow(`https://git.example${path}`, PREFIX)) return;
        for (const names of readings(path)) expect([path, names[0]]).toEqual([path, 'acme']);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('an address', () => {
  it('with a password is refused, even with an empty one', () => {
    for (const user of ['a:b', 'a:', ':b', ':'])
      expect(() => readGitAddress(`https://${user}@git.example/a`)).toThrow('must not carry a password');
  });

  it('is the same when it is read again', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: false, withQueryParameters: false }), (text) => {
        let read;
        try {
          read = readGitAddress(text);
        } catch (error) {
          expect(error).toBeInstanceOf(GitAddressProblem);
          return;
        }
        expect(readGitAddress(read.url)).toEqual(read);
      }),
    );
  });
});
