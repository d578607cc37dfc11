import type { ServerResponse } from 'node:http';
import { beginFrame, endFrame, type EndReason, heartbeatFrame } from '../sources/frames';
import type { StreamStep } from '../sources/stream-source';
import type { Follower } from '../tails/tail';
import type { Tails } from '../tails/tails';
import type { StreamPlace } from './open-streams';
import { StreamWriter } from './stream-writer';

/** What a stream reads. */
export interface StreamTarget {
  readonly tails: Tails;
  /** Of the conversation or the organization. */
  readonly id: string;
  /** Null for all kinds. */
  readonly kinds: ReadonlySet<string> | null;
  /** The position that the reader has already. */
  readonly after: number;
}

/** One open stream: first reads the log by itself, page by page, then follows its end with all others. */
export class EventStream implements Follower {
  private readonly writer: StreamWriter;
  private position: number;
  /** The position from which the reader would resume. */
  private told: number;
  private isOver = false;

  constructor(
    private readonly target: StreamTarget,
    private readonly place: StreamPlace,
    response: ServerResponse,
  ) {
    this.position = target.after;
    this.told = target.after;
    this.writer = new StreamWriter(response, {
      closed: () => this.closed(),
      still: () => this.end('reader_too_slow'),
    });
    place.hold(this);
  }

  /** Sends the headers, and reads until there is no more; then follows. Never rejects. */
  async run(): Promise<void> {
    this.writer.begin();
    this.writer.write(beginFrame(this.target.after));
    const { id, tails } = this.target;
    if (!tails.rejoin(id, this, this.position)) await this.read();
  }

  /** Reads until there is no more; then follows. Never rejects. */
  private async read(): Promise<void> {
    const { id, tails } = this.target;
    try {
      for (;;) {
        const before = this.position;
        const hasMore = await this.readOn(false);
        // Nothing came, and there is more: what comes next is large.
        if (hasMore && this.position === before)
          await this.place.inTurnForLarge(
            () => this.readOn(true),
            () => this.end('reader_too_slow'),
          );
        if (this.hasEnded() || (!hasMore && tails.join(id, this, this.position))) return;
      }
    } catch {
      this.end('interrupted');
    }
  }

  follow(steps: readonly StreamStep[], end: number): void {
    for (const step of steps) {
      if (step.isLarge && this.isNext(step)) {
        this.target.tails.leave(this.target.id, this);
        void this.read();
        return;
      }
      this.step(step);
    }
    this.position = Math.max(this.position, end);
  }

  pass(kind: string, frame: Buffer): void {
    if (this.isWanted(kind)) this.send(frame);
  }

  /** Shows that the connection is alive, and up to where the reader has everything. */
  beat(): void {
    const isBehind = this.writer.isIdle && this.position > this.told;
    if (isBehind) this.told = this.position;
    this.writer.beat(heartbeatFrame(isBehind ? this.position : null));
  }

  /** Ends it; the reader gets the reason. */
  end(reason: EndReason): void {
    if (this.isOver) return;
    this.isOver = true;
    this.place.ended(reason);
    this.target.tails.leave(this.target.id, this);
    this.writer.end(endFrame(reason));
  }

  /**
   * Reads a page, and hands it over.
   * @param large whether it may be a large event
   * @returns whether there is more
   */
  private async readOn(large: boolean): Promise<boolean> {
    const { id, kinds, tails } = this.target;
    // Its turn may come long after its client has left.
    const page = await this.place.inTurn(async () =>
      this.hasEnded() ? null : tails.source.next(id, this.position, { kinds, large }),
    );
    if (page === null) return false;
    for (const step of page.steps) {
      await this.writer.room();
      this.step(step);
    }
    this.position = Math.max(this.position, page.end);
    await this.writer.room();
    return page.hasMore;
  }

  private step(step: StreamStep): void {
    const isNext = this.isNext(step);
    this.position = Math.max(this.position, step.position);
    if (!isNext) return;
    this.told = step.position;
    this.send(step.frame);
  }

  private send(frame: Buffer): void {
    if (this.isOver) return;
    if (this.writer.write(frame)) this.place.sent();
    else this.end('reader_too_slow');
  }

  /** Whether the reader is to get it, and has not. */
  private isNext({ position, kind }: StreamStep): boolean {
    return position > this.position && !this.isOver && (kind === null || this.isWanted(kind));
  }

  /** A method, since it may change during any await. */
  private hasEnded(): boolean {
    return this.isOver;
  }

  private isWanted(kind: string): boolean {
    return this.target.kinds === null || this.target.kinds.has(kind);
  }

  private closed(): void {
    if (!this.isOver) {
      this.isOver = true;
      this.place.ended('client');
      this.target.tails.leave(this.target.id, this);
    }
    this.place.free();
  }
}
