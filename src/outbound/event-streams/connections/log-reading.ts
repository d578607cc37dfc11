import type { EndReason } from '../sources/frames';
import type { StreamStep } from '../sources/stream-source';
import type { Follower } from '../tails/tail';
import type { Tails } from '../tails/tails';
import type { StreamPlace } from './open-streams';

/** What a stream reads of one log. */
export interface LogTarget {
  readonly tails: Tails;
  /** The id of the conversation or organization. */
  readonly id: string;
  /** Null for all kinds. */
  readonly kinds: ReadonlySet<string> | null;
  /** The position that the reader has already. */
  readonly after: number;
}

/** The stream that a log is read for. */
export interface ReadingStream {
  readonly place: StreamPlace;
  readonly isOver: boolean;
  /** Resolves when the buffer has drained or the connection is closed. */
  room(): Promise<void>;
  end(reason: EndReason): void;
}

/** Takes each frame that was read. @param position null for transient events */
type SendFrame = (frame: Buffer, position: number | null) => void;

/** Reads one log for a stream: first page by page for this stream alone, then through the shared tail. */
export class LogReading implements Follower {
  private at: number;

  constructor(
    private readonly target: LogTarget,
    private readonly stream: ReadingStream,
    private readonly send: SendFrame,
  ) {
    this.at = target.after;
  }

  /** The position up to which the reader has everything it asked for. */
  get position(): number {
    return this.at;
  }

  /** Reads up to the end of the log, then follows it. Never rejects. */
  async run(): Promise<void> {
    const { id, tails } = this.target;
    if (!this.stream.isOver && !tails.rejoin(id, this, this.at)) await this.read();
  }

  /** Stops following the log. */
  leave(): void {
    this.target.tails.leave(this.target.id, this);
  }

  follow(steps: readonly StreamStep[], end: number): void {
    for (const step of steps) {
      if (step.isLarge && this.isNext(step)) {
        this.leave();
        void this.read();
        return;
      }
      this.step(step);
    }
    this.at = Math.max(this.at, end);
  }

  pass(kind: string, frame: Buffer): void {
    if (this.wants(kind)) this.send(frame, null);
  }

  wants(kind: string): boolean {
    return this.target.kinds === null || this.target.kinds.has(kind);
  }

  private async read(): Promise<void> {
    const { id, tails } = this.target;
    const { place } = this.stream;
    try {
      for (;;) {
        const before = this.at;
        const hasMore = await this.readOn(false);
        // An empty page that is not the last one: the next event is large.
        if (hasMore && this.at === before)
          await place.inTurnForLarge(
            () => this.readOn(true),
            () => this.stream.end('reader_too_slow'),
          );
        if (this.stream.isOver || (!hasMore && tails.join(id, this, this.at))) return;
      }
    } catch {
      this.stream.end('interrupted');
    }
  }

  /**
   * Reads a page, and hands it over.
   * @param large whether it may be a large event
   * @returns whether there is more
   */
  private async readOn(large: boolean): Promise<boolean> {
    const { id, kinds, tails } = this.target;
    let passed = 0;
    const page = await this.stream.place.inTurn(async () => {
      // The client may have disconnected while this waited.
      if (this.stream.isOver) return null;
      passed = tails.positionOf(id);
      return tails.source.next(id, this.at, { kinds, large });
    });
    if (page === null) return false;
    for (const step of page.steps) {
      await this.stream.room();
      this.step(step);
    }
    // At the end of the log, what lies before the tail is deleted or was filtered out.
    this.at = Math.max(this.at, page.end, page.hasMore ? 0 : passed);
    await this.stream.room();
    return page.hasMore;
  }

  private step(step: StreamStep): void {
    const isNext = this.isNext(step);
    this.at = Math.max(this.at, step.position);
    if (isNext) this.send(step.frame, step.position);
  }

  /** Whether the reader asked for it and does not have it yet. */
  private isNext({ position, kind }: StreamStep): boolean {
    return position > this.at && !this.stream.isOver && (kind === null || this.wants(kind));
  }
}
