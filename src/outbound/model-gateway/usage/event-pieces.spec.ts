import fc from 'fast-check';
import { EventPieces } from './event-pieces';

const holds = (): boolean => true;

const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ':', 'é', '"') });
const end = fc.constantFrom('\n\n', '\r\n\r\n');
const events = fc.array(fc.tuple(line, end), { maxLength: 8 });

describe('a stream of events', () => {
  it('is cut into its events, wherever its pieces end, and comes whole', () => {
    fc.assert(
      fc.property(events, fc.integer({ min: 1, max: 9 }), (said, size) => {
        const text = said.map(([words, ended]) => `data:${words}${ended}`).join('');
        const bytes = Buffer.from(text);
        const seen: string[] = [];
        const passed: Buffer[] = [];
        const pieces = new EventPieces(
          (data) => {
            seen.push(data);
            return false;
          },
          () => undefined,
          holds,
        );
        for (let at = 0; at < bytes.length; at += size)
          passed.push(pieces.push(bytes.subarray(at, at + size)) ?? Buffer.alloc(0));
        passed.push(pieces.rest() ?? Buffer.alloc(0));
        expect(Buffer.concat(passed).toString()).toBe(text);
        expect(seen).toEqual(said.map(([words]) => words));
      }),
    );
  });

  it('loses the events that are left out, and no other byte', () => {
    const pieces = new EventPieces(
      (data) => data === 'out',
      () => undefined,
      holds,
    );
    const passed = pieces.push(Buffer.from('data:a\n\ndata:out\n\ndata:b'));
    expect([passed, pieces.rest()].map(String)).toEqual(['data:a\n\n', 'data:b']);
  });

  it('with an event that is too long passes it on, and looks at its end only', () => {
    let long: [number, string] | undefined;
    const pieces = new EventPieces(
      () => true,
      (ending, bytes) => (long = [bytes, ending.slice(-3)]),
      holds,
    );
    const bytes = Buffer.concat([Buffer.alloc(9 * 1024 * 1024, 'x'), Buffer.from('end\n\n')]);
    let passed = 0;
    for (let at = 0; at < bytes.length; at += 65_536)
      passed += pieces.push(bytes.subarray(at, at + 65_536))?.length ?? 0;
    expect(passed).toBe(bytes.length);
    expect(long).toEqual([bytes.length, 'd\n\n']);
  });
});
