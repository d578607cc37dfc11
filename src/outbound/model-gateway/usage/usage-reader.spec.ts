import { UsageReader } from './usage-reader';

const USAGE = '"usage":{"prompt_tokens":20,"completion_tokens":500000}';

const readerOf = (isStream: boolean): UsageReader =>
  new UsageReader({ protocol: 'chat', isStream, encoding: undefined, dropsUsage: false });

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
