import * as fc from 'fast-check';
import { rawJsonItems } from './raw-json';

describe('rawJsonItems', () => {
  it('gives null for what is not finite, and leaves texts alone', () => {
    expect(rawJsonItems('[NaN,{"a":-Infinity,"NaN":[Infinity]}," -Infinity \\"NaN"]')).toEqual([
      'null',
      '{"a":null,"NaN":[null]}',
      '" -Infinity \\"NaN"',
    ]);
  });

  it('gives the text of each item verbatim', () => {
    expect(rawJsonItems(' [ {"a" : 1.0} , "x,]" ,[1, 2],null] ')).toEqual([
      '{"a" : 1.0}',
      '"x,]"',
      '[1, 2]',
      'null',
    ]);
  });

  it('gives nothing for another value', () => {
    expect(rawJsonItems('{"a":[1]}')).toEqual([]);
  });

  it('loses nothing of any array', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const items = rawJsonItems(JSON.stringify(values, null, 1));
        expect(items.map((item): unknown => JSON.parse(item))).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });
});
