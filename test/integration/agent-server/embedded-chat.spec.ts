import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import type { EmbeddedConfig } from '../../../src/appliance/embedded-agent-server/config/embedded-config';
import { AllowedHosts } from '../../../src/kernel/common';
import type { Conversation } from '../../../src/appliance/embedded-agent-server/conversations/conversation';
import { conversationInfo } from '../../../src/appliance/embedded-agent-server/conversations/conversation-views';
import { EmbeddedServer } from '../../../src/appliance/embedded-agent-server/embedded-server';
import type { StoredEvent } from '../../../src/appliance/embedded-agent-server/conversations/event-log';
import { eventually } from '../../support/eventually';
import { Listener } from './embedded-fixture';

let model: Listener;
let url: string;
let server: EmbeddedServer;
let config: EmbeddedConfig;

beforeEach(async () => {
  model = new Listener();
  url = await model.listen();
  config = {
    host: '127.0.0.1',
    port: 0,
    sessionApiKeys: [],
    corsOrigins: [],
    secretKey: null,
    conversationsPath: null,
    webhooks: [],
    confinedTo: null,
    llm: { model: 'openai/default', baseUrl: `${url}/v1`, apiKey: 'model-key' },
  };
  server = new EmbeddedServer(config, tmpdir());
});

afterEach(async () => {
  model.close();
  await server.close();
});

const start = (llm: { model: string } & Record<string, unknown>): Conversation =>
  server.conversations.start({
    agent: { llm, tools: [] },
    workspace: { working_dir: tmpdir() },
  }).conversation;
const say = (conversation: Conversation, text: string, run = true): void => {
  conversation.send({ role: 'user', content: [{ type: 'text', text, cache_prompt: false }] }, run);
};
const reply = (text: string) => (_request: unknown, response: ServerResponse) => {
  const usage = { prompt_tokens: 11, completion_tokens: 3 };
  response.end(JSON.stringify({ id: 'c1', choices: [{ message: { content: text } }], usage }));
};
const story = (conversation: Conversation): unknown[] =>
  conversation.log.all().map((event: StoredEvent) => {
    if (event.kind !== 'ConversationStateUpdateEvent') return event.kind;
    return event['key'] === 'execution_status' ? event['value'] : event['key'];
  });

it('puts what a start adds to its instructions into the system prompt', async () => {
  model.answer = reply('Hello');
  const { conversation } = server.conversations.start({
    agent: {
      llm: { model: 'openai/stub' },
      tools: [],
      agent_context: { system_message_suffix: 'Answer in one word.' },
    },
    workspace: { working_dir: tmpdir() },
  });
  say(conversation, 'Hi');
  await eventually(() => expect(conversation.status).toBe('finished'));
  const prompt = /^You are an assistant in a chat\. .*\n\nAnswer in one word\.$/;
  expect(conversation.log.all()[0]).toMatchObject({
    kind: 'SystemPromptEvent',
    system_prompt: { text: expect.stringMatching(prompt) as string },
  });
  expect(model.received[0]?.body).toMatchObject({
    messages: [{ role: 'system', content: expect.stringMatching(prompt) as string }, { role: 'user' }],
  });
});

it('chats with the model the service names, and counts what it costs', async () => {
  model.answer = reply('Hello');
  const conversation = start({
    model: 'openai/stub',
    input_cost_per_token: 0.01,
    output_cost_per_token: 0.1,
  });
  say(conversation, 'hi');
  await eventually(() => expect(conversation.status).toBe('finished'));
  expect(story(conversation).slice(-3)).toEqual(['MessageEvent', 'finished', 'stats']);
  expect(conversation.finalResponse()).toBe('Hello');
  expect(model.received).toMatchObject([
    {
      url: '/v1/chat/completions',
      headers: { authorization: 'Bearer model-key' },
      body: { model: 'stub', messages: [{ role: 'system' }, { role: 'user', content: [{ text: 'hi' }] }] },
    },
  ]);
  const { stats } = conversationInfo(conversation);
  expect(stats).toMatchObject({
    usage_to_metrics: {
      default: {
        model_name: 'openai/stub',
        accumulated_token_usage: { prompt_tokens: 11, completion_tokens: 3 },
      },
    },
  });
  expect(conversation.stats.usage_to_metrics['default']?.accumulated_cost).toBeCloseTo(0.41);
});

it('gives the model the whole history, images included', async () => {
  model.answer = reply('Hello');
  const conversation = start({ model: 'x' });
  say(conversation, 'one');
  await eventually(() => expect(conversation.status).toBe('finished'));
  const image = { type: 'image' as const, image_urls: ['data:image/png;base64,AA=='], cache_prompt: false };
  conversation.send({ role: 'user', content: [image] }, true);
  await eventually(() => expect(model.received).toHaveLength(2));
  expect(model.received[1]?.body).toMatchObject({
    messages: [
      { role: 'system' },
      { role: 'user', content: [{ type: 'text', text: 'one' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
    ],
  });
});

it('prefers the model, address and key of the conversation, and shows the key nowhere', async () => {
  model.answer = reply('Hello');
  const conversation = start({ model: 'own', base_url: `${url}/v1/`, api_key: 'own-secret' });
  say(conversation, 'hi');
  await eventually(() => expect(conversation.status).toBe('finished'));
  expect(model.received[0]).toMatchObject({
    url: '/v1/chat/completions',
    headers: { authorization: 'Bearer own-secret' },
    body: { model: 'own' },
  });
  expect(JSON.stringify([conversationInfo(conversation), conversation.log.all()])).not.toContain(
    'own-secret',
  );
});

it.each([
  ['answers an error', 400, '{"error":"no model-key"}', 'LLMBadRequestError'],
  ['fails', 502, '', 'LLMServiceUnavailableError'],
  ['answers something else', 200, '<html>', 'LLMMalformedResponseError'],
  ['answers nothing', 200, '{"choices":[{"message":{"content":" "}}]}', 'LLMNoResponseError'],
])('a model that %s ends the run in an error', async (_name, status, body, code) => {
  model.answer = (_request, response) => {
    response.statusCode = status;
    response.end(body);
  };
  const conversation = start({ model: 'x' });
  say(conversation, 'hi');
  await eventually(() => expect(story(conversation).at(-1)).toBe('ConversationErrorEvent'));
  expect(story(conversation).slice(-3)).toEqual(['running', 'error', 'ConversationErrorEvent']);
  expect(conversation.log.last).toMatchObject({ code });
  expect(JSON.stringify(conversation.log.last)).not.toContain('model-key');
  model.answer = reply('Better');
  say(conversation, 'again');
  await eventually(() => expect(conversation.finalResponse()).toBe('Better'));
});

it('calls an address of this machine only where the operator allows its host, and says whose decision that is', async () => {
  model.answer = reply('Hello');
  const own = { model: 'own', base_url: `${url}/other`, api_key: 'own-secret' };
  const refused = start(own);
  say(refused, 'hi');
  await eventually(() => expect(story(refused).at(-1)).toBe('ConversationErrorEvent'));
  expect(JSON.stringify(refused.log.last)).toContain(
    'its address is not public, and whoever runs this service has not allowed it (LLM_ALLOWED_HOSTS)',
  );
  expect(model.received).toEqual([]);
  await server.close();
  const allowedHosts = new AllowedHosts('LLM_ALLOWED_HOSTS', [new URL(url).host]);
  server = new EmbeddedServer({ ...config, llm: { ...config.llm, allowedHosts } }, tmpdir());
  const allowed = start(own);
  say(allowed, 'hi');
  await eventually(() => expect(allowed.finalResponse()).toBe('Hello'));
  expect(model.received).toMatchObject([{ headers: { authorization: 'Bearer own-secret' } }]);
});

it('a model that is away ends the run in an error', async () => {
  model.close();
  const conversation = start({ model: 'x' });
  say(conversation, 'hi');
  await eventually(() => expect(conversation.status).toBe('error'));
  await eventually(() => expect(conversation.log.last).toMatchObject({ code: 'LLMServiceUnavailableError' }));
});

it('an interrupt ends the call to the model at once', async () => {
  const gone = new Promise((resolve) => {
    model.answer = (_request, response) => response.once('close', resolve);
  });
  const conversation = start({ model: 'x' });
  say(conversation, 'hi');
  await eventually(() => expect(model.received).toHaveLength(1));
  expect(conversation.run()).toBe('already_running');
  await conversation.interrupt();
  await gone;
  expect(conversation.status).toBe('paused');
  expect(story(conversation).slice(-3)).toEqual(['running', 'paused', 'InterruptEvent']);
});

it('a message that comes during the call is answered after it', async () => {
  const waiting: ServerResponse[] = [];
  model.answer = (_request, response) => waiting.push(response);
  const conversation = start({ model: 'x' });
  say(conversation, 'one');
  await eventually(() => expect(waiting).toHaveLength(1));
  say(conversation, 'two');
  reply('first')(null, waiting[0]!);
  await eventually(() => expect(waiting).toHaveLength(2));
  expect(model.received[1]?.body).toMatchObject({
    messages: [{}, { content: [{ text: 'one' }] }, { role: 'assistant' }, { content: [{ text: 'two' }] }],
  });
  reply('second')(null, waiting[1]!);
  await eventually(() => expect(conversation.status).toBe('finished'));
  expect(story(conversation).filter((line) => line === 'running')).toHaveLength(1);
});

it('a pause waits for the end of the step', async () => {
  const waiting: ServerResponse[] = [];
  model.answer = (_request, response) => waiting.push(response);
  const conversation = start({ model: 'x' });
  say(conversation, 'one');
  await eventually(() => expect(waiting).toHaveLength(1));
  say(conversation, 'two');
  conversation.pause();
  expect(conversation.status).toBe('running');
  reply('first')(null, waiting[0]!);
  await eventually(() => expect(conversation.status).toBe('paused'));
  conversation.run();
  await eventually(() => expect(waiting).toHaveLength(2));
  reply('second')(null, waiting[1]!);
  await eventually(() => expect(conversation.status).toBe('finished'));
});
