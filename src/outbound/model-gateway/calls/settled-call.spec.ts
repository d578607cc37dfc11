import { readSettings } from '../../../kernel/config';
import { AnswerMemory } from '../usage/answer-memory';
import { UsageReader } from '../usage/usage-reader';
import { settledBy, type Settled } from './settled-call';

const LIMIT = 100_000;
const memory = new AnswerMemory(readSettings({}));

/** A stream that the caller ended: what it said, and how long it had lasted. */
function leftAfter(
  seconds: number,
  {
    text = 'x'.repeat(12),
    usage = {},
    choices = 1,
  }: { text?: string; usage?: object; choices?: number } = {},
): Promise<Settled> {
  const form = { protocol: 'chat', isStream: true, encoding: undefined, dropsUsage: false } as const;
  const reader = new UsageReader(form, memory.of('an-organization'));
  const piece = { choices: [{ index: 0, delta: { content: text }, finish_reason: null }], ...usage };
  reader.push(Buffer.from(`data: ${JSON.stringify(piece)}\n\n`));
  return settledBy(
    {
      outcome: {
        kind: 'passed',
        status: 200,
        reader,
        broke: 'caller',
        firstByteAt: 0,
        lastedMs: seconds * 1_000,
      },
      target: { baseUrl: null, provider: 'openai', apiKey: 'k', headers: {}, isShared: true, isOwn: false },
      host: 'provider.example',
      tries: 1,
    },
    {
      most: { cost: 1, prompt: 1_000, completion: LIMIT, largestCompletion: LIMIT },
      bodyBytes: 400,
      choices,
      costOf: ({ completion }) => completion,
    },
  );
}
const written = async (...call: Parameters<typeof leftAfter>): Promise<number> =>
  (await leftAfter(...call)).tokens.completion;

describe('a stream whose caller hung up', () => {
  it('counts by what a model can have thought unseen in that time, and while it is stopped', async () => {
    expect(await written(0)).toBe(8_000);
    expect(await written(3)).toBe(20_000);
    expect(await written(3, { choices: 4 })).toBe(80_000);
    expect(await leftAfter(3)).toMatchObject({ status: 'interrupted', cost: 20_000, isReported: false });
  });

  it('counts by no more than was reserved', async () => {
    expect(await written(600)).toBe(LIMIT);
  });

  it('counts by no less than what passed, or was reported so far', async () => {
    expect(await written(1, { text: 'x'.repeat(80_000) })).toBe(20_000);
    const soFar = { usage: { prompt_tokens: 100, completion_tokens: 17_000 } };
    expect(await written(1, { usage: soFar })).toBe(17_000);
  });
});
