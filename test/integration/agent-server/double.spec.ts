import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentServerClient, type SendOutcome } from '../../../src/sandboxes/agent-server';
import { hexOf } from '../../../src/kernel/common';
import { sendTo } from '../../support/agent-server/agent-server-calls';
import { AgentServerDouble, type Fault } from '../../support/agent-server/agent-server-double';
import { eventually } from '../../support/eventually';

let client: AgentServerClient;
let double: AgentServerDouble;
let conversation: string;

/** Longer than a busy machine pauses: a call has come to the double by then. */
const PATIENCE_MS = 4_000;

const send = (text: string, timeoutMs = PATIENCE_MS): Promise<SendOutcome> => {
  const body = { role: 'user', content: [{ type: 'text', text }], run: true };
  return client.sendMessage(double.target, conversation, JSON.stringify(body), timeoutMs);
};
const texts = (): string[] => double.messages(conversation).map(({ text }) => text);

beforeEach(async () => {
  client = new AgentServerClient();
  double = await AgentServerDouble.start();
  conversation = double.addConversation();
});

afterEach(async () => {
  await client.onApplicationShutdown();
  await double.stop();
});

describe('a message to an agent server that fails', () => {
  const cases: [string, Fault, SendOutcome['kind'], boolean][] = [
    ['hangs before storing it', { kind: 'hang', stored: false }, 'unknown', false],
    ['hangs after storing it', { kind: 'hang', stored: true }, 'unknown', true],
    ['resets before storing it', { kind: 'reset', stored: false }, 'unknown', false],
    ['resets after storing it', { kind: 'reset', stored: true }, 'unknown', true],
    ['answers 500 without storing it', { kind: 'status', status: 500, stored: false }, 'unknown', false],
    ['answers 500 and stored it', { kind: 'status', status: 500, stored: true }, 'unknown', true],
    ['answers 404', { kind: 'status', status: 404, stored: false }, 'not_found', false],
    ['answers 409', { kind: 'status', status: 409, stored: false }, 'conflict', false],
    ['answers 422', { kind: 'status', status: 422, stored: false }, 'refused', false],
    ['is slow', { kind: 'late', ms: 50 }, 'delivered', true],
  ];

  it.each(cases)('%s', async (_name, fault, kind, isStored) => {
    double.fail(fault, sendTo(conversation));
    expect((await send('one')).kind).toBe(kind);
    expect(texts()).toEqual(isStored ? ['one'] : []);
    expect(await send('two')).toEqual({ kind: 'delivered' });
    expect(texts()).toEqual(isStored ? ['one', 'two'] : ['two']);
    expect(double.arrived(sendTo(conversation))).toHaveLength(2);
  });

  it('may be stored long after the caller gave up', async () => {
    let accept: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (accept = resolve));
    double.fail({ kind: 'held', until }, sendTo(conversation));
    expect((await send('late')).kind).toBe('unknown');
    expect(texts()).toEqual([]);
    accept();
    await eventually(() => expect(texts()).toEqual(['late']));
  });

  it('was never sent while nobody listens', async () => {
    await double.refuse();
    expect(await send('one')).toEqual({ kind: 'unavailable', reason: 'ECONNREFUSED' });
    await double.accept();
    expect(await send('two')).toEqual({ kind: 'delivered' });
    expect(texts()).toEqual(['two']);
  });

  it('is found again in the log after the mark that was noted before', async () => {
    await send('before');
    const mark = await client.events.last(double.target, conversation);
    double.fail({ kind: 'reset', stored: true }, sendTo(conversation));
    expect((await send('lost?')).kind).toBe('unknown');
    const found: unknown[] = [];
    for await (const event of client.events.after(double.target, conversation, mark?.id ?? null)) {
      if (event.kind === 'MessageEvent' && event.source === 'user') found.push(event['llm_message']);
    }
    expect(found).toMatchObject([{ content: [{ type: 'text', text: 'lost?' }] }]);
  });
});

describe('webhooks of the double', () => {
  let receiver: Server;
  const posts: { url: string | undefined; key: unknown; body: unknown }[] = [];

  beforeEach(async () => {
    posts.length = 0;
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
        posts.push({ url: request.url, key: request.headers['x-session-api-key'], body });
        response.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });

  afterEach(() => receiver.close());

  it('come as they happen, and when they are triggered', async () => {
    const { port } = receiver.address() as AddressInfo;
    const posting = await AgentServerDouble.start({ webhookUrl: `http://127.0.0.1:${port}/hooks` });
    const id = posting.addConversation();
    await eventually(() => expect(posts).toHaveLength(2));
    expect(posts.map(({ url }) => url).sort()).toEqual([
      '/hooks/conversations',
      `/hooks/events/${hexOf(id)}`,
    ]);
    expect(await posting.postEvents(id, [{ id: 'made-up' }])).toBe(200);
    expect(posts.at(-1)).toEqual({
      url: `/hooks/events/${hexOf(id)}`,
      key: 'double-key',
      body: [{ id: 'made-up' }],
    });
    await posting.stop();
  });
});
