import { Logger } from '@nestjs/common';
import type { NewsSource } from '../sources/news-source';
import type { StreamSource } from '../sources/stream-source';
import { RecentBytes } from './recent-steps';
import { type Follower, Tail } from './tail';

/** Logs that are read with one statement. */
const AT_ONCE = 500;

/**
 * The ends of the logs that streams of this process follow. Each is read once for all of its followers, and those with
 * something new together.
 */
export class Tails {
  private readonly logger = new Logger(Tails.name);
  private readonly tails = new Map<string, Tail>();
  private readonly woken = new Set<string>();
  private readonly recentBytes = new RecentBytes();
  private readonly listeners: ((id: string) => void)[] = [];
  private isReading = false;

  constructor(readonly source: StreamSource) {}

  /** Calls back when a stream begins to follow a log. */
  onJoin(listener: (id: string) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Lets a stream follow a log that it has read up to a position.
   * @returns false when it has to read on first: the others are further
   */
  join(id: string, follower: Follower, position: number): boolean {
    const tail = this.tails.get(id) ?? new Tail(position, this.recentBytes);
    if (tail.position > position) return false;
    tail.add(follower);
    this.tails.set(id, tail);
    for (const listener of this.listeners) listener(id);
    // The log may have grown since the stream read it.
    this.wake([id]);
    return true;
  }

  /** Whether a reader at a position gets all that it lacks from memory. */
  keepsAfter(id: string, position: number): boolean {
    return (this.tails.get(id)?.missing(position) ?? null) !== null;
  }

  /**
   * Lets a stream follow a log whose others are further, when what it lacks is in memory.
   * @returns false when it has to read it
   */
  rejoin(id: string, follower: Follower, position: number): boolean {
    const tail = this.tails.get(id);
    const missing = tail?.missing(position) ?? null;
    if (tail === undefined || missing === null) return false;
    tail.add(follower);
    for (const listener of this.listeners) listener(id);
    follower.follow(missing, tail.position);
    return true;
  }

  /** Ends what {@link join} or {@link rejoin} began; does nothing for a stream that does not follow. */
  leave(id: string, follower: Follower): void {
    const tail = this.tails.get(id);
    tail?.remove(follower);
    if (tail?.isLeft !== true) return;
    tail.clear();
    this.tails.delete(id);
  }

  /** Drops the steps that were kept for reconnecting readers before the last call. */
  age(): void {
    for (const tail of this.tails.values()) tail.age();
  }

  /** Reads the logs of some ids that may have something new; null for all. */
  wake(ids: readonly string[] | null): void {
    for (const id of ids ?? this.tails.keys()) if (this.tails.has(id)) this.woken.add(id);
    if (!this.isReading && this.woken.size > 0) void this.read();
  }

  /** Hands an event without a position to the followers. */
  pass(id: string, kind: string, frame: () => Buffer): void {
    this.tails.get(id)?.pass(kind, frame());
  }

  /** Whether anybody follows a log. */
  isFollowed(id: string): boolean {
    return this.tails.has(id);
  }

  /** The position that the followers of a log have reached; 0 without any. */
  positionOf(id: string): number {
    return this.tails.get(id)?.position ?? 0;
  }

  /** Whether anybody who follows a log wants events of a kind. */
  wants(id: string, kind: string): boolean {
    return this.tails.get(id)?.wants(kind) === true;
  }

  /** The logs with followers. */
  followed(): Iterable<string> {
    return this.tails.keys();
  }

  private async read(): Promise<void> {
    this.isReading = true;
    try {
      while (this.woken.size > 0) await this.readSome();
    } catch (error) {
      // The followers stay; they are read again within the second in which all are.
      this.woken.clear();
      this.logger.warn({ err: error }, 'Events of streams could not be read; they wait');
    } finally {
      this.isReading = false;
    }
  }

  private async readSome(): Promise<void> {
    const cursors = new Map<string, number>();
    for (const id of this.woken) {
      if (cursors.size === AT_ONCE) break;
      this.woken.delete(id);
      const tail = this.tails.get(id);
      if (tail !== undefined) cursors.set(id, tail.position);
    }
    if (cursors.size === 0) return;
    const pages = await this.source.nextOfEach(cursors);
    for (const [id, page] of pages) {
      const hasMore = this.tails.get(id)?.take(page, cursors.get(id) ?? 0);
      if (hasMore === true) this.woken.add(id);
    }
  }
}

/** The ends of the logs of conversations. */
export class ConversationTails extends Tails {}

/** The ends of the news of conversations. */
export class NewsTails extends Tails {
  constructor(override readonly source: NewsSource) {
    super(source);
  }
}

/** The ends of the logs of organizations. */
export class OrganizationTails extends Tails {}
