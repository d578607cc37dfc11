import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { messageOf, parseUuid } from '../../../kernel/common';
import { bashRequestSchema, type BashService } from './bash-service';
import type { Conversation } from '../conversations/conversation';
import type { Conversations } from '../conversations/conversations';
import { localTime } from './event-routes';
import { completeEvent, serverErrorEvent, withoutNulls, socketMessageSchema } from '../conversations/events';
import { isAllowedKey } from './http-api';

const AUTH_TIMEOUT_MS = 10_000;
const MAX_SUBSCRIBERS = 50;
const MAX_FRAME_BYTES = 32 * 1024 * 1024;
/** A reader this far behind is cut off instead of filling the memory. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
const PING_MS = 20_000;

const authFrame = z.object({ type: z.literal('auth'), session_api_key: z.string() });

/** The WebSockets: `/sockets/events/{conversation id}` and `/sockets/bash-events`. */
export class EventSockets {
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES });
  private readonly pings: NodeJS.Timeout;
  private readonly silent = new Set<WebSocket>();

  constructor(
    private readonly conversations: Conversations,
    private readonly bash: BashService | null,
    private readonly sessionApiKeys: readonly string[],
  ) {
    this.pings = setInterval(() => this.pingAll(), PING_MS).unref();
  }

  /** Takes the upgrades of an HTTP server. */
  attach(http: Server): void {
    http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      const url = addressOf(request);
      const serve = url && this.serverOf(url);
      const key =
        url?.searchParams.get('session_api_key') ?? request.headers['x-session-api-key']?.toString();
      const isAllowed = isAllowedKey(key, this.sessionApiKeys);
      if (!serve || (key !== undefined && !isAllowed)) {
        socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
        return;
      }
      this.server.handleUpgrade(request, socket, head, (websocket) => {
        websocket.on('error', () => websocket.terminate());
        if (isAllowed) serve(websocket);
        else this.waitForAuth(websocket, serve);
      });
    });
  }

  /** Ends all of them. */
  close(): void {
    clearInterval(this.pings);
    for (const websocket of this.server.clients) websocket.close(1001, 'The server stops');
    this.server.close();
  }

  private serverOf(url: URL): ((websocket: WebSocket) => void) | null {
    const { bash } = this;
    if (url.pathname === '/sockets/bash-events' && bash !== null) {
      return (websocket) => {
        serveBash(bash, websocket, url.searchParams);
      };
    }
    const id = /^\/sockets\/events\/([^/]+)$/.exec(url.pathname)?.[1];
    const conversationId = id === undefined ? null : parseUuid(id);
    if (conversationId === null) return null;
    return (websocket) => {
      this.serveEvents(websocket, conversationId, url.searchParams);
    };
  }

  /** The first frame has to bring the key. */
  private waitForAuth(websocket: WebSocket, serve: (websocket: WebSocket) => void): void {
    const refuse = (): void => websocket.close(4001, 'Authentication failed');
    const timer = setTimeout(refuse, AUTH_TIMEOUT_MS);
    websocket.once('close', () => clearTimeout(timer));
    websocket.once('message', (data) => {
      clearTimeout(timer);
      const frame = authFrame.safeParse(parseFrame(data));
      if (frame.success && isAllowedKey(frame.data.session_api_key, this.sessionApiKeys)) serve(websocket);
      else refuse();
    });
  }

  private serveEvents(websocket: WebSocket, conversationId: string, query: URLSearchParams): void {
    const conversation = this.conversations.get(conversationId);
    if (!conversation) {
      websocket.close(4004, 'Conversation not found');
      return;
    }
    if (conversation.subscriberCount >= MAX_SUBSCRIBERS) {
      websocket.close(1013, 'Too many connections for this conversation');
      return;
    }
    websocket.once(
      'close',
      conversation.subscribe((event) => send(websocket, withoutNulls(event))),
    );
    for (const event of history(conversation, query)) send(websocket, withoutNulls(event));
    websocket.on('message', (data) => {
      respondToErrors(websocket, () => {
        const frame = parseFrame(data);
        if (authFrame.safeParse(frame).success) return;
        conversation.send(socketMessageSchema.parse(frame), true);
      });
    });
  }

  /** Cuts off peers that did not answer the ping before. */
  private pingAll(): void {
    for (const websocket of this.server.clients) {
      if (this.silent.delete(websocket)) {
        websocket.terminate();
        continue;
      }
      this.silent.add(websocket);
      websocket.once('pong', () => this.silent.delete(websocket));
      websocket.once('close', () => this.silent.delete(websocket));
      websocket.ping();
    }
  }
}

function serveBash(bash: BashService, websocket: WebSocket, query: URLSearchParams): void {
  websocket.once(
    'close',
    bash.subscribe((event) => send(websocket, event)),
  );
  const resends = query.get('resend_mode') === 'all' || query.get('resend_all') === 'true';
  if (resends) for (const event of bash.all()) send(websocket, event);
  websocket.on('message', (data) => {
    respondToErrors(websocket, () => {
      const frame = parseFrame(data);
      if (!authFrame.safeParse(frame).success) bash.start(bashRequestSchema.parse(frame));
    });
  });
}

/** Null for an invalid address, such as `//`. */
function addressOf({ url = '/' }: IncomingMessage): URL | null {
  return URL.canParse(url, 'http://embedded') ? new URL(url, 'http://embedded') : null;
}

function history(conversation: Conversation, query: URLSearchParams) {
  const mode = query.get('resend_mode') ?? (query.get('resend_all') === 'true' ? 'all' : null);
  if (mode === 'all') return conversation.log.all();
  const after = localTime(query.get('after_timestamp'));
  if (mode !== 'since' || after === null) return [];
  return conversation.log.all().filter(({ timestamp }) => timestamp >= after);
}

/** A frame that is not understood is answered; the socket stays open. */
function respondToErrors(websocket: WebSocket, handle: () => void): void {
  try {
    handle();
  } catch (error) {
    const code = error instanceof z.ZodError ? 'ValidationError' : 'ValueError';
    const detail = messageOf(error);
    send(websocket, withoutNulls(completeEvent(serverErrorEvent(code, detail), null)));
  }
}

function send(websocket: WebSocket, value: unknown): void {
  if (websocket.readyState !== WebSocket.OPEN) return;
  if (websocket.bufferedAmount > MAX_UNSENT_BYTES) websocket.terminate();
  else websocket.send(JSON.stringify(value));
}

function parseFrame(data: RawData): unknown {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
