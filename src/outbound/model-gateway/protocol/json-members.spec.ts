import fc from 'fast-check';
import { ModelCallInvalidError } from '../model-gateway.errors';
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

  it('are searched for to an end in any bytes', () => {
    const bits = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', ' ', 'a', '1', '"a":', '\\"');
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 200 }), (given) => {
        const text = `{"a":${given.join('')}`;
        const isObject = ((): boolean => {
          try {
            JSON.parse(text);
            return true;
          } catch {
            return false;
          }
        })();
        const search = (): unknown => membersOf(Buffer.from(text));
        if (isObject) expect(search).not.toThrow();
        else
          try {
            search();
          } catch (error) {
            expect(error).toBeInstanceOf(ModelCallInvalidError);
          }
      }),
      { numRuns: 2_000 },
    );
  });

  it('are found behind strings with quotes and slashes of any number', () => {
    for (let length = 0; length < 200; length++)
      for (const end of ['', '\\', '"', '\\"', '\\\\']) {
        const value = 'x'.repeat(length) + end;
        const bytes = Buffer.from(JSON.stringify({ a: value + value, b: 1 }));
        expect(membersOf(bytes).map(({ name }) => name)).toEqual(['a', 'b']);
      }
  });

  it.each([
    ['members', `{${Array.from({ length: 257 }, (_, n) => `"${n}":1`).join(',')}}`],
    ['levels', `{"a":${'['.repeat(129)}${']'.repeat(129)}}`],
    ['values', `{"a":[${'1,'.repeat(1_000_001)}1]}`],
    ['objects', `{"a":[${'{},'.repeat(100_001)}{}]}`],
    ['lists', `{"a":[${'[],'.repeat(100_001)}[]]}`],
    ['strings', `{"a":[${'"",'.repeat(200_001)}""]}`],
    ['members inside', `{"a":{${'"b":1,'.repeat(125_001)}"b":1}}`],
  ])('are refused where there are too many %s', (_what, text) => {
    expect(() => membersOf(Buffer.from(text))).toThrow(ModelCallInvalidError);
  });

  it('are found in what an agent sends after thousands of steps', () => {
    const text = 'x'.repeat(3_000);
    const called = { id: 'call_1', type: 'function', function: { name: 'terminal', arguments: '{"a":1}' } };
    const step = [
      { role: 'assistant', content: [{ type: 'text', text }], tool_calls: [called] },
      { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text }] },
    ];
    const messages = Array.from({ length: 3_000 }, () => step).flat();
    const bytes = Buffer.from(JSON.stringify({ model: 'a', messages }));
    expect(membersOf(bytes).map(({ name }) => name)).toEqual(['model', 'messages']);
  });
});
