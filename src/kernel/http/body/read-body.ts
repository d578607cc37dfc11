import type { IncomingMessage } from 'node:http';
import { sendContinue } from '../server/expect-continue';
import { BodyIncompleteError, BodyTooLargeError } from '../errors/http.errors';

/** Pieces that are joined to one: a body that comes byte by byte would take a hundred times its size otherwise. */
const JOINED_PIECES = 1_024;

/**
 * Reads a request's body.
 * @param limitBytes larger bodies are refused without being read to the end
 * @throws BodyTooLargeError, BodyIncompleteError
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limitBytes) return Promise.reject(new BodyTooLargeError(limitBytes));
  return new Promise((resolve, reject) => {
    const joined: Buffer[] = [];
    let chunks: Buffer[] = [];
    let size = 0;
    const finish = (settle: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('aborted', onBroken).off('error', onBroken);
      settle();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limitBytes) {
        request.pause();
        finish(() => reject(new BodyTooLargeError(limitBytes)));
      } else {
        chunks.push(chunk);
        if (chunks.length === JOINED_PIECES) {
          joined.push(Buffer.concat(chunks));
          chunks = [];
        }
      }
    };
    const onEnd = (): void =>
      finish(() => {
        const all = [...joined, ...chunks];
        resolve(all.length === 1 && all[0] ? all[0] : Buffer.concat(all));
      });
    const onBroken = (): void => finish(() => reject(new BodyIncompleteError()));
    sendContinue(request);
    request.on('data', onData).on('end', onEnd).on('aborted', onBroken).on('error', onBroken);
  });
}
