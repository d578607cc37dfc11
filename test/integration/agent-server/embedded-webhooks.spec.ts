import { tmpdir } from 'node:os';
import type { Conversation } from '../../../src/appliance/embedded-agent-server/conversations/conversation';
import type { WebhookSpec } from '../../../src/appliance/embedded-agent-server/config/embedded-config';
import { EmbeddedServer } from '../../../src/appliance/embedded-agent-server/embedded-server';
import { hexOf } from '../../../src/kernel/common';
import { eventually } from '../../support/eventually';
import { Listener } from './embedded-fixture';

type Event = Record<string, unknown>;

let listener: Listener;
let server: EmbeddedServer;

beforeEach(() => {
  listener = new Listener();
});

afterEach(async () => {
  await server.close();
  listener.close();
});

async function serve(spec: Partial<WebhookSpec>): Promise<Conversation> {
  const webhook = {
    base_url: `${await listener.listen()}/hooks`,
    headers: { 'x-extra': 'e' },
    event_buffer_size: 1,
    flush_delay: 30,
    num_retries: 3,
    retry_delay: 0.02,
    ...spec,
  };
  const config = {
    host: '127.0.0.1',
    port: 0,
    sessionApiKeys: ['first', 'second'],
    corsOrigins: [],
    secretKey: null,
    conversationsPath: null,
    webhooks: [webhook],
    confinedTo: null,
    llm: {},
  };
  server = new EmbeddedServer(config, tmpdir());
  const agent = { llm: { model: 'x' }, tools: [] };
  return server.conversations.start({ agent, workspace: { working_dir: tmpdir() } }).conversation;
}

const say = (conversation: Conversation, text: string): void => {
  conversation.send({ role: 'user', content: [{ type: 'text', text, cache_prompt: false }] }, true);
};
const posts = (kind: string) => listener.received.filter(({ url }) => url.startsWith(`/hooks/${kind}`));
const batches = (): Event[][] => posts('events').map(({ body }) => body as Event[]);
const keys = (events: Event[]): unknown[] => events.map(({ key, kind }) => key ?? kind);

const RUN = [
  'full_state',
  'SystemPromptEvent',
  'MessageEvent',
  'last_user_message_id',
  'execution_status',
  'MessageEvent',
  'execution_status',
  'full_state',
];

it('every event goes out in order, with the first key, nulls included', async () => {
  const conversation = await serve({});
  say(conversation, 'hi');
  await eventually(() => expect(batches()).toHaveLength(RUN.length));
  expect(keys(batches().flat())).toEqual(RUN);
  for (const { url, headers } of posts('events')) {
    expect(url).toBe(`/hooks/events/${hexOf(conversation.record.id)}`);
    expect(headers).toMatchObject({ 'x-session-api-key': 'first', 'x-extra': 'e' });
  }
  expect(batches().flat()[2]).toMatchObject({ sender: null, llm_response_id: null });
});

it('events are gathered up to the size of the buffer', async () => {
  say(await serve({ event_buffer_size: 4 }), 'hi');
  await eventually(() => expect(batches().map((batch) => batch.length)).toEqual([4, 4]));
  expect(keys(batches().flat())).toEqual(RUN);
});

it('fewer events go out some time after the first of them', async () => {
  say(await serve({ event_buffer_size: 100, flush_delay: 4 }), 'hi');
  await eventually(() => expect(keys(batches().flat())).toEqual(RUN));
  expect(batches()).toHaveLength(1);
});

it('what is not taken is sent again, and nothing passes it', async () => {
  const taken: Event[] = [];
  let failing = 5;
  listener.answer = ({ url, body }, response) => {
    const isTaken = failing-- <= 0;
    if (isTaken && url.startsWith('/hooks/events')) taken.push(...(body as Event[]));
    response.statusCode = isTaken ? 204 : 503;
    response.end();
  };
  say(await serve({ num_retries: 1, flush_delay: 0.05 }), 'hi');
  await eventually(() => expect(keys(taken)).toEqual(RUN));
  expect(batches().flat().length).toBeGreaterThan(RUN.length);
});

it('the rest goes out when the server stops', async () => {
  const conversation = await serve({ event_buffer_size: 100 });
  say(conversation, 'hi');
  await eventually(() => expect(conversation.status).toBe('finished'));
  expect(batches()).toEqual([]);
  await server.close();
  expect(keys(batches().flat())).toEqual(RUN);
});

it('the conversation itself is reported when it is made, paused and deleted', async () => {
  const conversation = await serve({});
  const { id } = conversation.record;
  await eventually(() => expect(posts('conversations')).toHaveLength(1));
  const url = await server.listen();
  const headers = { 'x-session-api-key': 'second' };
  await fetch(`${url}/api/conversations/${id}/pause`, { method: 'POST', headers });
  await fetch(`${url}/api/conversations/${id}`, { method: 'DELETE', headers });
  await eventually(() => expect(posts('conversations')).toHaveLength(3));
  const reported = posts('conversations').map(({ body }) => body);
  expect(reported).toMatchObject([
    { id, execution_status: 'idle', title: null },
    { id, execution_status: 'paused' },
    { id, execution_status: 'deleting' },
  ]);
});
