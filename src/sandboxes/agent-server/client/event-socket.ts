import type { Socket } from 'node:net';
import { type RawData, WebSocket } from 'ws';
import { MEBIBYTE } from '../../../kernel/common';
import { connectorFor } from './exchange/connections';
import type { AgentServer } from './protocol';

const HANDSHAKE_MS = 10_000;

/** A longer event closes the WebSocket, since each one is buffered until it is complete. */
const MAX_EVENT_BYTES = MEBIBYTE;

/** Bytes that are read between two calls of {@link EventSocket.readOn}, each event counted as somewhat longer. */
const MAX_BYTES_AT_ONCE = MEBIBYTE;
const BYTES_OF_ANY = 256;

/** Pongs that may be queued for a server that does not read. */
const MAX_UNSENT_BYTES = 64 * 1024;

/** How an {@link EventSocket} reports to its owner. */
export interface EventSocketOwner {
  /** An event came, as JSON text; the first one shows that the agent server sends all that follow. */
  received(event: string): void;
  /** The WebSocket is closed, or could not be opened; no event follows. */
  ended(): void;
}

/**
 * A WebSocket on which an agent server sends the events of a conversation, over connections that are checked as those of
 * all calls are.
 */
export class EventSocket {
  private socket: WebSocket | null = null;
  private isEnded = false;
  private isAlive = true;
  private bytes = 0;

  constructor(
    server: AgentServer,
    conversationId: string,
    private readonly owner: EventSocketOwner,
  ) {
    const { protocol, hostname, port, pathname, host } = new URL(server.baseUrl);
    const url = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${pathname.replace(/\/+$/, '')}`;
    const target = { protocol, port, hostname: hostname.replace(/^\[(.*)\]$/, '$1') };
    connectorFor(server)(target, (...[error, connection]) => {
      if (error !== null) this.ended();
      else if (this.isEnded) connection.destroy();
      else this.open(`${url}/sockets/events/${conversationId}`, headersFor(server), connection);
    });
  }

  /** Ends it; no callback is called any more. */
  close(): void {
    this.isEnded = true;
    this.socket?.terminate();
  }

  /** Resumes reading after the budget of a round; to be called regularly. Closes it when unread pongs pile up. */
  readOn(): void {
    this.bytes = 0;
    this.socket?.resume();
    if ((this.socket?.bufferedAmount ?? 0) > MAX_UNSENT_BYTES) this.socket?.terminate();
  }

  /** Closes it when nothing came from the agent server since the last call. */
  checkLife(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    if (!this.isAlive) this.socket.terminate();
    this.isAlive = false;
    this.socket.ping();
  }

  private open(url: string, headers: Record<string, string>, connection: Socket): void {
    const socket = new WebSocket(url, {
      createConnection: () => connection,
      headers,
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_EVENT_BYTES,
      perMessageDeflate: false,
    });
    this.socket = socket;
    socket.on('message', (data, isBinary) => {
      const bytes = rawBytes(data);
      this.count(bytes);
      if (!isBinary && !this.isEnded) this.owner.received(bytes.toString());
    });
    for (const frame of ['ping', 'pong'] as const) socket.on(frame, (data) => this.count(data));
    socket.on('error', () => undefined);
    socket.on('close', () => this.ended());
  }

  /** A flood is left in the connection, so that TCP slows its sender down. */
  private count({ length }: Buffer): void {
    this.isAlive = true;
    this.bytes += BYTES_OF_ANY + length;
    if (this.bytes > MAX_BYTES_AT_ONCE) this.socket?.pause();
  }

  private ended(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.owner.ended();
  }
}

function headersFor({ apiKey, gateway }: AgentServer): Record<string, string> {
  const headers: Record<string, string> = { 'X-Session-API-Key': apiKey };
  const passed = gateway?.headers ?? [];
  for (let at = 0; at < passed.length; at += 2) headers[passed[at] ?? ''] = passed[at + 1] ?? '';
  return headers;
}

function rawBytes(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
