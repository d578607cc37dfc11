import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A connection that has left HTTP, and what came on it already. */
export interface Upgraded {
  readonly socket: Socket;
  readonly head: Buffer;
}

const pending = new WeakMap<IncomingMessage, Upgraded>();

/**
 * Lets requests for a WebSocket take the way of all requests: with an id, in the log, with the same errors. Whoever
 * wants such a request takes it with {@link switchProtocols}; to all others it is an ordinary request. Any other
 * upgrade that a client offers (Java's and curl's offer HTTP/2) is left aside, as the protocol allows.
 */
export function receiveUpgrades(server: Server): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!(socket instanceof Socket) || isResponding(request, socket)) {
      // A legitimate client does not send an upgrade before the responses to its earlier requests.
      socket.destroy();
      return;
    }
    try {
      if (isWebSocket(request)) receiveWebSocket(server, request, { socket, head });
      else readAgain(server, request, socket, head);
    } catch {
      // A throw in here would be one of the parser, which ends the process.
      socket.destroy();
    }
  });
}

function receiveWebSocket(server: Server, request: IncomingMessage, upgraded: Upgraded): void {
  const { socket } = upgraded;
  socket.on('error', () => socket.destroy());
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => {
    response.detachSocket(socket);
    if (response.statusCode !== 101) socket.destroySoon();
    // As the server does it for its own responses, once all listeners know that they are through.
    process.nextTick(() => response.emit('close'));
  });
  pending.set(request, upgraded);
  server.emit('request', request, response);
}

/** Whether a request is for a WebSocket that is not handled yet. */
export function pendingUpgrade(request: IncomingMessage): boolean {
  return pending.has(request);
}

/**
 * Answers 101 and leaves HTTP.
 * @returns the connection, which the caller owns from then on; null when it has ended already
 */
export async function switchProtocols(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): Promise<Upgraded | null> {
  const upgraded = pending.get(request);
  if (upgraded === undefined || upgraded.socket.destroyed) return null;
  pending.delete(request);
  const { socket } = upgraded;
  const isThrough = await new Promise<boolean>((resolve) => {
    const onClose = (): void => resolve(false);
    socket.once('close', onClose);
    response.once('finish', () => {
      socket.off('close', onClose);
      resolve(!socket.destroyed);
    });
    response.writeHead(101, { ...headers, Connection: 'Upgrade', Upgrade: 'websocket' });
    response.end();
  });
  return isThrough ? upgraded : null;
}

/** Whether a response to an earlier request is under way on a connection; Node shows it only by refusing another one. */
function isResponding(request: IncomingMessage, socket: Socket): boolean {
  const another = new ServerResponse(request);
  try {
    another.assignSocket(socket);
  } catch {
    return true;
  }
  another.detachSocket(socket);
  return false;
}

function isWebSocket({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return method === 'GET' && !hasBody && headers.upgrade?.trim().toLowerCase() === 'websocket';
}

/** Has the request read once more, without the upgrade. Node hands it over for good, whatever it asks for. */
function readAgain(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = [`${request.method ?? ''} ${request.url ?? ''} HTTP/${request.httpVersion}`];
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i] ?? '';
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${request.rawHeaders[i + 1] ?? ''}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
