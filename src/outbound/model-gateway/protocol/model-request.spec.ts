import { bodyFor, readModelRequest } from './model-request';
import type { Protocol } from './protocols';

const read = (call: Readonly<Record<string, unknown>>, protocol: Protocol = 'chat') =>
  readModelRequest(protocol, Buffer.from(JSON.stringify({ model: 'openai/test-model', ...call })));

describe('what a call only names', () => {
  const content = (part: unknown): Readonly<Record<string, unknown>> => ({
    messages: [{ role: 'user', content: [{ type: 'text', text: '"file_id" "image_url"' }, part] }],
  });

  it.each([
    ['a text that has such words in it', { type: 'text', text: 'x' }, 0],
    ['an image at an address', { type: 'image_url', image_url: { url: 'https://a.example/b.png' } }, 50_000],
    ['an image in base64', { type: 'image', source: { type: 'base64', data: 'x' } }, 50_000],
    ['an image that is kept', { type: 'input_image', file_id: 'file-1' }, 50_000],
    ['a document', { type: 'document', source: { type: 'url', url: 'https://a.example' } }, 1_000_000],
    ['a file in the call', { type: 'file', file: { file_data: 'x' } }, 2_000_000],
    ['an image in the result of a tool', { type: 'tool_result', content: [{ type: 'image' }] }, 50_000],
    ['what a tool is to be given', { type: 'tool_use', input: { file_id: 'x', type: 'image' } }, 0],
  ])('%s', (_what, part, tokens) => {
    expect(read(content(part)).namedTokens).toBe(tokens);
  });

  it('is found however it is written', () => {
    const text = '{"model":"a/b","input":[{"\\u0066ile_id" : "x"}], "conversation" : {"id": "c"}}';
    expect(readModelRequest('responses', Buffer.from(text)).namedTokens).toBe(2_000_000);
  });

  it('is not what the tools of a call are described with', () => {
    const tools = [{ type: 'function', name: 'a', parameters: { properties: { file_id: {} } } }];
    expect(read({ tools }).namedTokens).toBe(0);
  });
});

describe('the most that a call asks for', () => {
  it('is of all of its answers together', () => {
    expect(read({}).maxOutput).toBeNull();
    expect(read({ max_tokens: 10, max_completion_tokens: 20, n: 3 }).maxOutput).toBe(30);
    expect(read({ n: 3 }).maxOutput).toBe(1_500_000);
  });

  it.each([
    ['zai', '{"max_completion_tokens" : 9}', null, '{"max_tokens" : 9}'],
    ['zai', '{"max_completion_tokens":9}', 5, '{"max_tokens":5}'],
    ['zai', '{"max_completion_tokens":9,"max_tokens":7}', null, '{"max_completion_tokens":7,"max_tokens":7}'],
    [
      'zai',
      '{"max_completion_tokens":9,"max_tokens":null}',
      null,
      '{"max_completion_tokens":9,"max_tokens":9}',
    ],
    ['zai', '{"max_tokens":9}', null, '{"max_tokens":9}'],
    ['zai', '{}', 5, '{"max_tokens":5}'],
    ['openai', '{"max_completion_tokens":9}', null, '{"max_completion_tokens":9}'],
    ['openai', '{"max_tokens":9}', 5, '{"max_tokens":5}'],
    ['openai', '{}', 5, '{"max_completion_tokens":5}'],
  ])('goes to %s where it looks for it: %s, with %s allowed', (provider, limits, maxOutput, expected) => {
    const body = (rest: string): string => `{"model":"m",${rest.slice(1)}`.replace(',}', '}');
    const sent = bodyFor(readModelRequest('chat', Buffer.from(body(limits))), {
      model: 'm',
      provider,
      maxOutput,
    });
    expect(JSON.parse(sent.toString())).toEqual(JSON.parse(body(expected)));
    if (limits !== '{}') expect(sent.toString()).toBe(body(expected));
  });
});
