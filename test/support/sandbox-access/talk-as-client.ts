import { eventually } from '../eventually';
import { TestSocket } from './door-calls';

const PATIENCE_MS = 90_000;

interface SocketEvent {
  readonly kind: string;
  readonly llm_message?: { readonly content: readonly { readonly text?: string }[] };
}

/**
 * Uses an agent server as existing clients do, over REST and WebSocket: they append paths to the addresses that they
 * are given, and cut them.
 * @param conversationUrl of a conversation's record
 * @returns what the WebSocket told that user and agent said
 */
export async function talkAsClient(conversationUrl: string, key: string): Promise<string[]> {
  const [base = '', id = ''] = conversationUrl.split('/api/conversations/');
  expect((await fetch(`${base}/health`)).status).toBe(200);
  const headers = { 'X-Session-API-Key': key, 'Content-Type': 'application/json' };
  const client = await TestSocket.open(`${base.replace('http', 'ws')}/sockets/events/${id}?resend_mode=all`);
  client.authenticate(key);
  await client.first(1);
  const body = JSON.stringify({ role: 'user', content: [{ type: 'text', text: 'by REST' }], run: true });
  const sent = await fetch(`${conversationUrl}/events`, { method: 'POST', headers, body });
  expect(sent.status).toBe(200);
  client.socket.send(JSON.stringify({ role: 'user', content: [{ type: 'text', text: 'by socket' }] }));
  const texts = await eventually(() => {
    const said = client.messages
      .map((text) => JSON.parse(text) as SocketEvent)
      .filter(({ kind }) => kind === 'MessageEvent')
      .map(({ llm_message: message }) => message?.content.map(({ text }) => text).join('') ?? '');
    expect(said).toEqual(expect.arrayContaining(['by REST', 'by socket']));
    return said;
  }, PATIENCE_MS);
  const page = await fetch(`${conversationUrl}/events/search?limit=100`, { headers });
  expect(JSON.stringify(await page.json())).toContain('by socket');
  const missing = await fetch(`${base}/api/conversations/00000000-0000-0000-0000-000000000000`, { headers });
  expect(missing.status).toBe(404);
  client.socket.close();
  expect((await client.closed).code).toBe(1005);
  return texts;
}
