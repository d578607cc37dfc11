import type { SourcePage, StreamStep } from '../sources/stream-source';
import { type RecentBytes, RecentSteps } from './recent-steps';

/** A stream that has caught up with its log. */
export interface Follower {
  /** Takes the next steps; those at or before its own position are skipped. */
  follow(steps: readonly StreamStep[], end: number): void;
  /** An event without a position. */
  pass(kind: string, frame: Buffer): void;
  /** Whether it wants events of a kind. */
  wants(kind: string): boolean;
}

/** The end of one log, which all of its followers have reached. */
export class Tail {
  private readonly followers = new Set<Follower>();
  private readonly recent: RecentSteps;

  /** @param position the one up to which its followers have everything */
  constructor(
    public position: number,
    recentBytes: RecentBytes,
  ) {
    this.recent = new RecentSteps(position, recentBytes);
  }

  get isLeft(): boolean {
    return this.followers.size === 0;
  }

  add(follower: Follower): void {
    this.followers.add(follower);
  }

  remove(follower: Follower): void {
    this.followers.delete(follower);
  }

  /** What a reader at a position lacks; null when it is not in memory any more. */
  missing(position: number): readonly StreamStep[] | null {
    return position > this.position ? null : this.recent.after(position);
  }

  /** Forgets what it kept before the last call. */
  age(): void {
    this.recent.age();
  }

  /** Forgets all that it kept. */
  clear(): void {
    this.recent.clear();
  }

  /**
   * Passes on steps that were read after a position.
   * @returns whether there is more to read
   */
  take({ steps, end, hasMore }: SourcePage, after: number): boolean {
    // It was read for an earlier tail: this one may lack what lies before it.
    if (after > this.position) return true;
    if (end > this.position) {
      this.recent.add(steps.filter(({ position }) => position > this.position));
      this.position = end;
      for (const follower of this.followers) follower.follow(steps, end);
    }
    return hasMore;
  }

  /** Whether any of its followers wants events of a kind. */
  wants(kind: string): boolean {
    for (const follower of this.followers) if (follower.wants(kind)) return true;
    return false;
  }

  pass(kind: string, frame: Buffer): void {
    for (const follower of this.followers) follower.pass(kind, frame);
  }
}
