/**
 * The back end of an app whose users talk with agents: it starts conversations, queues what users say, passes on what agents
 * say, and is called back when something happens. API, KEY, SECRET (of its webhook) and PORT are in its environment.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const { API = 'http://127.0.0.1:3000', KEY = '', SECRET = '', PORT = '4000' } = process.env;

/** The chats of this app; a real one keeps them with their users, and lets each see their own. */
const chats = new Set();

/** Calls the service. @throws Error when it refuses */
async function call(path, { body, signal, ...headers } = {}) {
  const response = await fetch(API + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-Access-Token': KEY, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

const messageOf = (words) => ({ content: [{ type: 'text', text: words }] });

/** The id is one's own choice: what is said can be queued at once, and a repeated request starts nothing twice. */
async function startChat(words) {
  const id = randomUUID();
  await call('/api/v1/app-conversations', {
    body: { conversation_id: id, initial_message: messageOf(words) },
  });
  chats.add(id);
  return id;
}

/** The queue takes it whatever the agent does, also while its sandbox starts, and delivers all in order, each once. */
async function say(id, words) {
  await call(`/api/v1/conversations/${id}/pending-messages`, { body: messageOf(words) });
}

/** What is said, as it comes, from the start or from where the reader was cut off: an EventSource goes on by itself. */
async function passOn(id, request, response) {
  const reader = new AbortController();
  response.on('close', () => reader.abort());
  const stream = await call(`/api/v1/conversation/${id}/events/stream?kind=MessageEvent&after=0`, {
    signal: reader.signal,
    ...(request.headers['last-event-id'] && { 'Last-Event-ID': request.headers['last-event-id'] }),
  });
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  Readable.fromWeb(stream.body)
    .on('error', () => response.destroy())
    .pipe(response);
}

/** Whoever is not the service gets a 400. */
function takeCallback(body, headers) {
  let callback;
  try {
    callback = new Webhook(SECRET).verify(body, headers);
  } catch {
    return 400;
  }
  console.log(`${callback.type} ${callback.data.conversation_id ?? ''}`);
  return 204;
}

async function answer(request, response) {
  const [, first, id, what] = new URL(request.url, API).pathname.split('/');
  const route = `${request.method} ${first} ${what ?? ''}`.trim();
  if (id !== undefined && !chats.has(id)) return response.writeHead(404).end();
  if (route === 'GET chats answers') return passOn(id, request, response);
  const body = await text(request);
  switch (route) {
    case 'POST chats':
      return response.writeHead(201).end(JSON.stringify({ id: await startChat(JSON.parse(body).text) }));
    case 'POST chats messages':
      await say(id, JSON.parse(body).text);
      return response.writeHead(202).end();
    case 'POST callbacks':
      return response.writeHead(takeCallback(body, request.headers)).end();
    default:
      return response.writeHead(404).end();
  }
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error.message);
    if (!response.headersSent) response.writeHead(502);
    response.end();
  });
}).listen(Number(PORT), '127.0.0.1', () => console.log(`The back end is at http://127.0.0.1:${PORT}.`));
