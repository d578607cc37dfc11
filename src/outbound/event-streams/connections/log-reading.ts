import type { EndReason } from '../sources/frames';
import type { StreamStep } from '../sources/stream-source';
import type { Follower } from '../tails/tail';
import type { Tails } from '../tails/tails';
import type { StreamPlace } from './open-streams';

/** What a stream reads of one log. */
export interface LogTarget {
  readonly tails: Tails;
  /** Of the conversation or the organization. */
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
  /** Resolves when there is room for more, or nobody to write to. */
  room(): Promise<void>;
  end(reason: EndReason): void;
}

/** Hands over what is read. @param position of what has one; null for what only passes */
type SendFrame = (frame: Buffer, position: number | null) => void;

/** Reads one log for a stream: first by itself, page by page, then follows its end with all others. */
export class LogReading implements Follower {
  private at: number;

  constructor(
    private readonly target: LogTarget,
    private readonly stream: ReadingStream,
    private readonly send: SendFrame,
  ) {
    this.at = target.after;
  }

  /** The position up to which the reader has everything, or lacks what it did not ask for. */
  get position(): number {
    return this.at;
  }

  /** Reads until there is no more; then follows. Never rejects. */
  async run(): Promise<void> {
    const { id, tails } = this.target;
    if (!this.stream.isOver && !tails.rejoin(id, this, this.at)) await this.read();
  }

  /** Follows no more. */
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
        // Nothing came, and there is more: what comes next is large.
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
      // Its turn may come long after its client has left.
      if (this.stream.isOver) return null;
      passed = tails.positionOf(id);
      return tails.source.next(id, this.at, { kinds, large });
    });
    if (page === null) return false;
    for (const step of page.steps) {
      await this.stream.room();
      this.step(step);
    }
    // Where there is no more, what others had passed before is gone, or was never to be read here.
    this.at = Math.max(this.at, page.end, page.hasMore ? 0 : passed);
    await this.stream.room();
    return page.hasMore;
  }

  private step(step: StreamStep): void {
    const isNext = this.isNext(step);
    this.at = Math.max(this.at, step.position);
    if (isNext) this.send(step.frame, step.position);
  }

  /** Whether the reader is to get it, and has not. */
  private isNext({ position, kind }: StreamStep): boolean {
    return position > this.at && !this.stream.isOver && (kind === null || this.wants(kind));
  }
}
