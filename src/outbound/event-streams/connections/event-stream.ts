import type { ServerResponse } from 'node:http';
import { atPosition, beginFrame, endFrame, type EndReason, heartbeatFrame } from '../sources/frames';
import { LogReading, type LogTarget, type ReadingStream } from './log-reading';
import type { StreamPlace } from './open-streams';
import { StreamWriter } from './stream-writer';

/** What a stream reads: a log, whose positions are those of the stream, and the news that are sent beside it. */
interface StreamTarget {
  readonly log: LogTarget;
  readonly news: LogTarget | null;
}

/** One open stream. */
export class EventStream implements ReadingStream {
  private readonly writer: StreamWriter;
  private readonly log: LogReading;
  private readonly news: LogReading | null;
  /** The position from which the reader would resume. */
  private sent: number;
  private hasEnded = false;

  constructor(
    { log, news }: StreamTarget,
    readonly place: StreamPlace,
    response: ServerResponse,
  ) {
    this.sent = log.after;
    this.log = new LogReading(log, this, (frame, position) => {
      this.sent = position ?? this.sent;
      this.send(frame);
    });
    this.news =
      news === null ? null : new LogReading(news, this, (frame) => this.send(atPosition(this.sent, frame)));
    this.writer = new StreamWriter(response, {
      closed: () => this.closed(),
      still: () => this.end('reader_too_slow'),
    });
    place.hold(this);
  }

  get isOver(): boolean {
    return this.hasEnded;
  }

  /** Sends the headers, reads up to the end of the log, then follows it. Never rejects. */
  async run(): Promise<void> {
    this.writer.begin();
    this.writer.write(beginFrame(this.sent));
    // One log after the other: only one may wait for the buffer to drain.
    await this.news?.run();
    await this.log.run();
  }

  room(): Promise<void> {
    return this.writer.room();
  }

  /** Sends a heartbeat with the position up to which the reader has everything. */
  beat(): void {
    const isBehind = this.writer.isIdle && this.log.position > this.sent;
    if (isBehind) this.sent = this.log.position;
    this.writer.beat(heartbeatFrame(isBehind ? this.sent : null));
  }

  /** Ends the stream and sends the reason. */
  end(reason: EndReason): void {
    if (this.hasEnded) return;
    this.leave(reason);
    this.writer.end(endFrame(reason));
  }

  private send(frame: Buffer): void {
    if (this.hasEnded) return;
    if (this.writer.write(frame)) this.place.sent();
    else this.end('reader_too_slow');
  }

  private closed(): void {
    if (!this.hasEnded) this.leave('client');
    this.place.free();
  }

  private leave(reason: EndReason | 'client'): void {
    this.hasEnded = true;
    this.place.ended(reason);
    this.log.leave();
    this.news?.leave();
  }
}
