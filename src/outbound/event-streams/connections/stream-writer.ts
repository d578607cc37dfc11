import type { ServerResponse } from 'node:http';

/** A reader may lag by so many bytes beyond the frame that is being written to it. */
const MAX_LAG_BYTES = 256 * 1024;

/**
 * For so long a reader may take nothing of what waits. Node looks at intervals of this, also within a frame, whether
 * anything was taken: two of them may pass.
 */
const STILL_MS = 60_000;

/** How long a stream that ends may take to send what is buffered. */
const END_MS = 3_000;

/** Callbacks of a writer, each called once. */
interface WriterEvents {
  /** The connection has ended. */
  readonly closed: () => void;
  /** The reader has taken nothing for so long that it counts as gone. */
  readonly still: () => void;
}

/** Writes the frames of one stream, and knows how far its reader lags. */
export class StreamWriter {
  private written = 0;
  /** The ends of the buffered frames, in bytes written; empty while nothing is buffered. */
  private ends: number[] = [];
  /** Frames of one turn of the event loop are flushed when it ends: until then they do not count as lag. */
  private hasWrittenThisTurn = false;
  private isEnded = false;
  private resume: () => void = () => undefined;

  constructor(
    private readonly response: ServerResponse,
    { closed, still }: WriterEvents,
  ) {
    response.on('error', () => response.destroy());
    response.setTimeout(STILL_MS, () => {
      if (!this.isIdle) still();
    });
    response.once('close', () => {
      this.isEnded = true;
      this.resume();
      closed();
    });
  }

  /** Whether everything was flushed. */
  get isIdle(): boolean {
    return this.response.writableLength === 0;
  }

  /** Sends status and headers. */
  begin(): void {
    // Keeps proxies from buffering events.
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    this.response.flushHeaders();
  }

  /** @returns false when the reader lags too far: nothing is written then */
  write(frame: Buffer | string): boolean {
    if (this.isEnded) return true;
    if (!this.hasWrittenThisTurn && this.lag() > MAX_LAG_BYTES) return false;
    if (!this.hasWrittenThisTurn) setImmediate(this.endTurn);
    this.hasWrittenThisTurn = true;
    this.written += Buffer.byteLength(frame);
    this.response.write(frame);
    if (this.response.writableLength > 0) this.ends.push(this.written);
    return true;
  }

  /** Writes a heartbeat, unless other frames were sent meanwhile. */
  beat(frame: string): void {
    if (this.isIdle) this.write(frame);
  }

  /** Resolves when the buffer has drained or the connection is closed. */
  async room(): Promise<void> {
    if (this.isEnded || !this.response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      this.resume = resolve;
      this.response.once('drain', resolve);
    });
  }

  /** Writes the last frame, and closes the connection. */
  end(frame: string): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.resume();
    const { response } = this;
    // The socket, since the response may still be queued behind an earlier one on the connection.
    const timer = setTimeout(() => response.req.socket.destroy(), END_MS).unref();
    response.once('close', () => clearTimeout(timer));
    response.end(frame);
  }

  private readonly endTurn = (): void => {
    this.hasWrittenThisTurn = false;
  };

  /** Bytes buffered behind the frame that is being written. */
  private lag(): number {
    const unsent = this.response.writableLength;
    if (unsent === 0) {
      this.written = 0;
      if (this.ends.length > 0) this.ends = [];
      return 0;
    }
    const sent = this.written - unsent;
    const current = this.ends.findIndex((end) => end > sent);
    if (current > 0) this.ends.splice(0, current);
    return unsent - ((this.ends[0] ?? this.written) - sent);
  }
}
