import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Logger } from '@nestjs/common';
import type { AppError } from '../../common';
import { HeadersTooLargeError, MalformedRequestError, RequestTimeoutError } from './http.errors';

/** How long a client may take to read the response before its connection is closed. */
const LINGER_MS = 2_000;

/** Where a connection has the latest response on it. */
const RESPONSE = Symbol('response');

declare module 'net' {
  interface Socket {
    [RESPONSE]?: ServerResponse;
  }
}

/**
 * Answers what Node's parser refuses before there is a request (malformed, too slow, headers too large) in the form of
 * all errors, with a request id (docs/contract.md#error-bodies). By default Node answers these without a body.
 */
export function respondToParserErrors(server: Server): void {
  const logger = new Logger('Http');
  const refused = new WeakSet<Duplex>();
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    socket[RESPONSE] = response;
  });
  server.on('clientError', (cause: NodeJS.ErrnoException, socket: Duplex) => {
    // What still comes of a refused request is refused by the parser again, chunk by chunk.
    if (refused.has(socket)) return;
    refused.add(socket);
    const response = socket instanceof Socket ? socket[RESPONSE] : undefined;
    const isResponding = response !== undefined && response.headersSent && !response.writableFinished;
    if (isResponding || !socket.writable || cause.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const error = errorFor(cause.code);
    const requestId = randomUUID();
    const address = socket instanceof Socket ? socket.remoteAddress : undefined;
    logger.log(
      { requestId, address, status: error.status, reason: cause.code },
      'The request could not be parsed',
    );
    socket.once('end', () => socket.destroy());
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.end(responseText(error, requestId));
  });
}

function errorFor(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLargeError();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimeoutError();
  return new MalformedRequestError();
}

function responseText(error: AppError, requestId: string): string {
  const body = JSON.stringify(error.toBody());
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
