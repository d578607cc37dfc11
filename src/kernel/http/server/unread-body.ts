import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { awaitsContinue } from './expect-continue';

/** How much of a refused body is read and dropped, and for how long, before its connection is closed. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 10_000;

/**
 * Answers a request whose body is refused, and closes its connection. The response goes out at once, but the connection
 * is closed only when the body has come, or too much of it: a client that writes its whole body before it reads would
 * find a broken pipe instead of the response.
 * @param text the JSON text of the response, the type of which is set
 */
export function respondUnread(request: IncomingMessage, response: Response, text: string): void {
  response.set({ Connection: 'close', 'Content-Length': String(Buffer.byteLength(text)) });
  response.write(text);
  if (awaitsContinue(request)) response.end(); // it sends its body only when asked
  else drain(request, () => response.end());
}

/**
 * Drops what still comes of a body that nobody needs, so that its connection can be used again; too much ends that.
 * @param dropped called at the end
 */
export function dropRest(request: IncomingMessage, dropped: () => void): void {
  drain(request, () => {
    if (!request.complete) request.destroy();
    dropped();
  });
}

function drain(request: IncomingMessage, done: () => void): void {
  let left = DRAIN_BYTES;
  const end = (): void => {
    clearTimeout(deadline);
    request.off('data', onData).off('end', end).off('close', end);
    done();
  };
  const onData = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) end();
  };
  const deadline = setTimeout(end, DRAIN_MS).unref();
  if (request.complete && request.readableEnded) end();
  else request.on('data', onData).on('end', end).on('close', end).resume();
}
