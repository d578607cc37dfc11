import { outputLines } from './volume-sizes';

function frame(stream: 1 | 2, text: string): Buffer {
  const content = Buffer.from(text);
  const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(content.length, 4);
  return Buffer.concat([header, content]);
}

describe('the output of a container', () => {
  const frames = Buffer.concat([frame(1, 'one\ntw'), frame(1, 'o\n'), frame(2, 'thrée\n')]);

  it('is put together from its parts, and cut into lines', () => {
    expect(outputLines(frames, { lines: 10, bytes: 1_000 })).toEqual(['one', 'two', 'thrée']);
    expect(outputLines(Buffer.alloc(0), { lines: 10, bytes: 1_000 })).toEqual([]);
  });

  it('is shown from its end, in whole lines where there is more than one', () => {
    expect(outputLines(frames, { lines: 2, bytes: 1_000 })).toEqual(['two', 'thrée']);
    expect(outputLines(frames, { lines: 10, bytes: 9 })).toEqual(['thrée']);
    expect(outputLines(frame(1, 'abcdef'), { lines: 10, bytes: 3 })).toEqual(['def']);
  });
});
