import * as fc from 'fast-check';
import { repairPercentEncoding } from './percent-encoding';

describe('repairPercentEncoding', () => {
  it.each([
    ['/a/%zz', '/a/%25zz'],
    ['/a/%', '/a/%25'],
    ['/a/%C3%A9?x=%zz', '/a/%C3%A9?x=%zz'],
    ['/a/%ff', '/a/%EF%BF%BD'],
    ['/plain?x=1', '/plain?x=1'],
  ])('%s becomes %s', (url, repaired) => {
    expect(repairPercentEncoding(url)).toBe(repaired);
  });

  it('leaves nothing that cannot be decoded', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\/[%0-9a-zA-Z/]*$/), (path) => {
        expect(() => decodeURIComponent(repairPercentEncoding(path))).not.toThrow();
      }),
    );
  });
});
