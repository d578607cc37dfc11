import type { StreamStep } from '../sources/stream-source';

/** The limits of one log. */
const MAX_STEPS = 500;
const MAX_BYTES = 128 * 1024;

/** The limit of all logs together. */
const MAX_BYTES_OF_ALL = 32 * 1024 * 1024;

/** Bytes that are kept of all logs. */
export class RecentBytes {
  used = 0;
}

/**
 * The latest steps of a log, for readers that come back: when a replica dies, all of its readers do at once, and they
 * need not read the database for what the others have just been sent.
 */
export class RecentSteps {
  private steps: StreamStep[] = [];
  private bytes = 0;
  /** How many of them were there when {@link age} was last called. */
  private aged = 0;

  /** @param start the position after which everything is kept */
  constructor(
    private start: number,
    private readonly all: RecentBytes,
  ) {}

  /** Appends steps. */
  add(steps: readonly StreamStep[]): void {
    for (const step of steps) {
      if (step.isLarge) {
        this.clear();
        this.start = step.position;
      } else {
        this.steps.push(step);
        this.count(step.frame.length);
      }
    }
    this.dropFirst(this.tooMany());
  }

  /** What follows a position; null when not all of it is kept. */
  after(position: number): readonly StreamStep[] | null {
    if (position < this.start) return null;
    return this.steps.filter((step) => step.position > position);
  }

  /** Drops the steps that were there at the last call. */
  age(): void {
    this.dropFirst(this.aged);
    this.aged = this.steps.length;
  }

  /** Drops everything. */
  clear(): void {
    this.dropFirst(this.steps.length);
  }

  /** How many of the oldest exceed the limits. */
  private tooMany(): number {
    let over = Math.max(this.bytes - MAX_BYTES, this.all.used - MAX_BYTES_OF_ALL);
    let count = Math.max(0, this.steps.length - MAX_STEPS);
    for (const [n, { frame }] of this.steps.entries()) {
      if (over <= 0) break;
      over -= frame.length;
      count = Math.max(count, n + 1);
    }
    return count;
  }

  private dropFirst(count: number): void {
    if (count === 0) return;
    const dropped = this.steps.splice(0, count);
    for (const { frame } of dropped) this.count(-frame.length);
    this.start = dropped.at(-1)?.position ?? this.start;
    this.aged = Math.max(0, this.aged - count);
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    this.all.used += bytes;
  }
}
