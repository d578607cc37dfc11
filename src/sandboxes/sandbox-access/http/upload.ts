import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { dropRest, sendContinue } from '../../../kernel/http';

/**
 * The body of a request on its way to the agent server, between two streams that end on their own: one that breaks must
 * not end the other.
 */
export class Upload {
  /** What the agent server reads. */
  readonly stream: Transform;

  /** @param passed called for what comes, piece by piece */
  constructor(
    private readonly request: IncomingMessage,
    passed: (bytes: number) => void,
  ) {
    this.stream = new Transform({
      transform: (chunk: Buffer, _encoding, callback) => {
        passed(chunk.length);
        callback(null, chunk);
      },
    });
    this.stream.on('error', () => undefined);
    sendContinue(request);
    request.pipe(this.stream);
  }

  /** Bytes that have come and not gone on. */
  get heldBytes(): number {
    return this.stream.readableLength + this.stream.writableLength;
  }

  /**
   * Breaks it off at the agent server. What still comes is read and dropped, so that the caller gets to read the answer.
   * @param ended called when nothing comes any more, or too much has, or for too long
   */
  drop(ended: () => void): void {
    const { request, stream } = this;
    request.unpipe(stream);
    stream.destroy();
    if (request.readableEnded || request.socket.destroyed) ended();
    else dropRest(request, ended);
  }
}

/** Whether a request has a body. */
export function hasBody(request: IncomingMessage): boolean {
  return isChunked(request) || Number(request.headers['content-length'] ?? 0) > 0;
}

/** Whether the body of a request comes without a length. */
export function isChunked({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}
