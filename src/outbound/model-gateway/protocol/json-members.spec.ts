import fc from 'fast-check';
import { membersOf, withMembers } from './json-members';

const objects = fc.dictionary(
  fc.string().filter((name) => name !== '__proto__'),
  fc.jsonValue(),
);

describe('the members of a JSON text', () => {
  it('are found where they are, whatever they hold and however they are written', () => {
    fc.assert(
      fc.property(objects, fc.constantFrom(undefined, 1, '\t'), (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        const bytes = Buffer.from(text);
        const known = JSON.parse(text) as Record<string, unknown>;
        const found = membersOf(bytes).map(({ name, valueStart, valueEnd }): [string, unknown] => [
          name,
          JSON.parse(bytes.toString('utf8', valueStart, valueEnd)),
        ]);
        expect(Object.fromEntries(found)).toEqual(known);
        expect(found).toHaveLength(Object.keys(known).length);
      }),
    );
  });

  it('are replaced and added, and every other byte stays', () => {
    fc.assert(
      fc.property(objects, fc.string(), fc.jsonValue(), (object, name, value) => {
        fc.pre(name !== '__proto__');
        const bytes = Buffer.from(JSON.stringify(object));
        const after = withMembers(bytes, membersOf(bytes), new Map([[name, JSON.stringify(value)]]));
        const expected: unknown = JSON.parse(JSON.stringify({ ...object, [name]: value }));
        expect(JSON.parse(after.toString())).toEqual(expected);
      }),
    );
    const odd = Buffer.from(' { "a" : 1.0e2 ,\n"b":"\\u0061\\\\" } ');
    const changed = withMembers(odd, membersOf(odd), new Map([['b', '2']]));
    expect(changed.toString()).toBe(' { "a" : 1.0e2 ,\n"b":2 } ');
  });
});
