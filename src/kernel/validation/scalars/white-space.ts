/** The white space of Unicode as the modelled framework knows it: U+FEFF is none, U+0085 and U+001C to U+001F are. */
const WHITE_SPACE = new Set(
  [
    [0x09, 0x0d],
    [0x1c, 0x20],
    [0x85, 0x85],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
  ].flatMap(([first = 0, last = 0]) =>
    Array.from({ length: last - first + 1 }, (_, offset) => first + offset),
  ),
);

/** A text without the white space at its ends. */
export function stripWhiteSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && WHITE_SPACE.has(text.charCodeAt(start))) start += 1;
  while (end > start && WHITE_SPACE.has(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
