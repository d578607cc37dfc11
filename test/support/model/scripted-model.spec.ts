import { eventually } from '../eventually';
import { reply, ScriptedModel } from './scripted-model';

const TERMINAL = { type: 'function', function: { name: 'terminal', parameters: {} } };

interface Completion {
  id: string;
  choices: { message: Message; finish_reason: string }[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}
interface Message {
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}

let model: ScriptedModel;

beforeEach(async () => {
  model = await ScriptedModel.start();
});
afterEach(() => model.stop());

const user = (...texts: string[]) => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});
const assistant = { role: 'assistant', content: null };
const toolResult = { role: 'tool', content: [{ type: 'text', text: 'files' }] };

function post(body: Record<string, unknown>, signal: AbortSignal | null = null): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer key' };
  const all = JSON.stringify({ model: 'scripted', tools: [TERMINAL], ...body });
  return fetch(`${model.baseUrl}/chat/completions`, { method: 'POST', headers, body: all, signal });
}

async function complete(messages: unknown[], more: Record<string, unknown> = {}): Promise<Completion> {
  return (await (await post({ messages, ...more })).json()) as Completion;
}

async function textOf(messages: unknown[], more: Record<string, unknown> = {}): Promise<string | null> {
  return (await complete(messages, more)).choices[0]!.message.content;
}

it('echoes messages that no rule matches, with unique ids and token counts', async () => {
  const first = await complete([user('hello')]);
  const second = await complete([user('hello', 'again')]);
  expect(first.choices[0]).toMatchObject({
    message: { content: 'You said: hello' },
    finish_reason: 'stop',
  });
  expect(second.choices[0]!.message.content).toBe('You said: hello\nagain');
  expect(second.id).not.toBe(first.id);
  const { prompt_tokens: asked, completion_tokens: said, total_tokens: total } = first.usage;
  expect(asked).toBeGreaterThan(0);
  expect(said).toBeGreaterThan(0);
  expect(total).toBe(asked + said);
});

it('follows the steps of a rule, and gives a repeated call the same step', async () => {
  model.when('list', reply.terminal('ls', 5), reply.finish('done'));
  const asked = [user('please list')];
  for (let repetition = 0; repetition < 2; repetition++) {
    const { choices } = await complete(asked);
    expect(choices[0]!.finish_reason).toBe('tool_calls');
    const called = choices[0]!.message.tool_calls![0]!.function;
    expect(called.name).toBe('terminal');
    expect(JSON.parse(called.arguments)).toEqual({ command: 'ls', timeout: 5 });
  }
  const { choices } = await complete([...asked, assistant, toolResult]);
  expect(choices[0]!.message.tool_calls![0]!.function.name).toBe('finish');
});

it('prefers the queue over rules and newer rules over older ones', async () => {
  model.when(/hi/, reply.text('old'));
  model.when((call) => call.lastUserText === 'hi', reply.text('new'));
  model.enqueue(reply.text('queued'));
  expect(await textOf([user('hi')])).toBe('queued');
  expect(await textOf([user('hi')])).toBe('new');
  expect(await textOf([user('oh hi')])).toBe('old');
  model.reset();
  expect(await textOf([user('hi')])).toBe('You said: hi');
});

it('answers a call without tools with a title and leaves the script alone', async () => {
  model.enqueue(reply.text('queued'));
  expect(await textOf([user('Generate a title')], { tools: undefined })).toBe('Scripted title');
  expect(await textOf([user('hi')])).toBe('queued');
});

it.each([400, 500])('fails with status %d', async (status) => {
  model.enqueue(reply.failure(status, 'No.'));
  const answer = await post({ messages: [user('hi')] });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ error: { message: 'No.' } });
});

it('hangs until released', async () => {
  model.when('wait', reply.hang(reply.text('at last')));
  const text = textOf([user('wait')]);
  await eventually(() => expect(model.hanging).toBe(1));
  model.release();
  expect(await text).toBe('at last');
  expect(model.hanging).toBe(0);
});

it('forgets a hanging call whose client has disconnected', async () => {
  model.when('wait', reply.hang());
  const leaving = new AbortController();
  const call = post({ messages: [user('wait')] }, leaving.signal);
  await eventually(() => expect(model.hanging).toBe(1));
  leaving.abort();
  await expect(call).rejects.toThrow();
  await eventually(() => expect(model.hanging).toBe(0));
});

it('streams when asked to', async () => {
  model.enqueue(reply.terminal('ls'));
  const answer = await post({ messages: [user('hi')], stream: true });
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const lines = (await answer.text()).trim().split('\n\n');
  expect(lines.pop()).toBe('data: [DONE]');
  const chunks = lines.map((line) => JSON.parse(line.replace(/^data: /, '')) as Record<string, unknown>);
  expect(chunks).toMatchObject([
    {
      choices: [{ delta: { role: 'assistant', tool_calls: [{ index: 0, function: { name: 'terminal' } }] } }],
    },
    { choices: [{ finish_reason: 'tool_calls' }] },
    { choices: [], usage: { total_tokens: expect.any(Number) as number } },
  ]);
});

it('streams a text word by word, and stops after the first until it is released, where that is scripted', async () => {
  model.enqueue(reply.halting(' All tests\n pass. '));
  const { body } = await post({ messages: [user('hi')], stream: true });
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  const contents = (text: string): (string | undefined)[] =>
    [...text.matchAll(/"content":("[^"]*")/g)].map(([, content = '""']) => JSON.parse(content) as string);
  const first = await reader.read();
  expect(contents(first.value ?? '')).toEqual([' All']);
  expect(model.hanging).toBe(1);
  model.release();
  let rest = '';
  for (let more = await reader.read(); !more.done; more = await reader.read()) rest += more.value;
  expect(contents(rest)).toEqual([' tests', '\n pass. ']);
});

it('records its calls', async () => {
  await complete([user('a'), assistant, user('b')], { temperature: 0 });
  expect(model.requests).toMatchObject([
    {
      model: 'scripted',
      lastUserText: 'b',
      repliesSinceUser: 0,
      tools: ['terminal'],
      stream: false,
      authorization: 'Bearer key',
      body: { temperature: 0 },
    },
  ]);
});

it('answers 404 elsewhere', async () => {
  expect((await fetch(`${model.baseUrl}/models`)).status).toBe(404);
});
