import { csvText } from './csv';

describe('a field of an export', () => {
  it.each([
    ['plain words', 'plain words'],
    ['a, b', '"a, b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['Größe 🐙', 'Größe 🐙'],
    ['', ''],
    [' two ', ' two '],
    ['[1,2]', '"[1,2]"'],
    ['{"team":"shop"}', '"{""team"":""shop""}"'],
  ])('writes %j as %j', (value, expected) => {
    expect(csvText(value)).toBe(expected);
  });

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '\nx',
    '  =1',
    '＝1',
    '－1',
    '=HYPERLINK("http://a")',
  ])('never starts with what a spreadsheet computes: %j', (text) => {
    expect(csvText(text).replace(/^"/, '').startsWith("'")).toBe(true);
  });
});
