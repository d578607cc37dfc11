import { MEBIBYTE } from '../../../kernel/common';
import { readSettings } from '../../../kernel/config';
import { AnswerMemory } from './answer-memory';
import { UsageReader } from './usage-reader';

const USAGE = '"usage":{"prompt_tokens":20,"completion_tokens":500000}';

const memoryWith = (share: number): AnswerMemory =>
  new AnswerMemory(readSettings({ ORGANIZATION_SHARE_PERCENT: String(share) }));

const readerOf = (isStream: boolean, memory = memoryWith(100)): UsageReader =>
  new UsageReader(
    { protocol: 'chat', isStream, encoding: undefined, dropsUsage: false },
    memory.of('organization'),
  );

describe('an answer', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['in one piece', false, (json: string) => json],
    ['as an event', true, (json: string) => `data: ${json}\n\n`],
  ])('of very many values %s is not parsed, and its usage is found', async (_how, isStream, written) => {
    const parse = jest.spyOn(JSON, 'parse');
    const reader = readerOf(isStream);
    reader.push(Buffer.from(written(`{"content":[${'{},'.repeat(300_000)}{}],${USAGE}}`)));
    const { tokens } = await reader.usage(1);
    expect(tokens).toMatchObject({ prompt: 20, completion: 500_000 });
    expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBe(USAGE.length - 8);
  });

  it('of many values is parsed', async () => {
    const reader = readerOf(false);
    reader.push(Buffer.from(`{"data":[${'0,'.repeat(200_000)}0],"content":"${'x'.repeat(400)}"}`));
    expect((await reader.usage(1)).tokens.completion).toBe(100);
  });

  it('that is no JSON counts by its bytes', async () => {
    const reader = readerOf(false);
    reader.push(Buffer.from('{"x":1}\n'.repeat(100)));
    expect(await reader.usage(7)).toMatchObject({
      tokens: { prompt: 7, completion: 200 },
      isReported: false,
    });
  });
});

describe('answers that come at once', () => {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const begin = (memory: AnswerMemory, isStream: boolean): UsageReader => {
    const reader = readerOf(isStream, memory);
    reader.push(Buffer.from('data: {"choices":[{"delta":{"content":"'.slice(isStream ? 0 : 6)));
    for (let n = 0; n < 12; n++) reader.push(piece);
    return reader;
  };
  const end = async (reader: UsageReader, isStream: boolean): Promise<number> => {
    reader.push(Buffer.from(`"}}],${USAGE}}${isStream ? '\n\n' : ''}`));
    const { read, tokens } = await reader.usage(1);
    expect(tokens).toMatchObject({ prompt: 20, completion: 500_000 });
    return read;
  };

  it.each([
    ['in one piece', false],
    ['as events', true],
  ])(
    '%s are kept as far as there is memory, of others the end, and what has ended makes room',
    async (_how, isStream) => {
      const memory = memoryWith(50);
      const readers = Array.from({ length: 200 }, () => begin(memory, isStream));
      const read: number[] = [];
      for (const reader of readers) read.push(await end(reader, isStream));
      const whole = read.filter((tokens) => tokens > 0);
      expect(whole.length).toBeGreaterThan(50);
      expect(whole.length).toBeLessThanOrEqual(128 / 0.75);
      expect(memory.of('organization').holds(128 * MEBIBYTE)).toBe(true);
    },
  );
});
