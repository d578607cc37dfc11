import * as fc from 'fast-check';
import { readQuery } from './query-text';

const read = (text: string, name = 'q'): string[] | undefined => readQuery(text, new Set([name])).get(name);

describe('the text of a query', () => {
  it('has every value of a name, in order, empty ones included', () => {
    expect(read('q=1&x=2&q=&q&q=3')).toEqual(['1', '', '', '3']);
    expect(read('&&q=1&=2&')).toEqual(['1']);
    expect(read('')).toBeUndefined();
    expect(read('Q=1&q[]=2&qq=3')).toBeUndefined();
    expect(read('q=a=b;c')).toEqual(['a=b;c']);
  });

  it('is decoded: plus is a space, bad escapes stay, bytes that are no UTF-8 are replaced', () => {
    expect(read('q=a+b%20c%2B')).toEqual(['a b c+']);
    expect(read('%71=x')).toEqual(['x']);
    expect(read('q=%zz%4%')).toEqual(['%zz%4%']);
    expect(read('q=%C3%28%F0%9F%98%80%EF%BB%BF')).toEqual(['\ufffd(😀\ufeff']);
    expect(read('q=%ED%A0%80')).toEqual(['\ufffd\ufffd\ufffd']);
  });

  it('reads what a browser writes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (values) => {
        const text = new URLSearchParams(values.map((value): [string, string] => ['q', value])).toString();
        expect(read(text) ?? []).toEqual(values.map((value) => value.toWellFormed()));
      }),
    );
  });
});
