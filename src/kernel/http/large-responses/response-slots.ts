import { MEBIBYTE } from '../../common';
import { TooManyLargeResponsesError } from '../errors/http.errors';

/** What all large responses of a process hold at once, and those of a user. */
const TOTAL_BYTES = 32 * MEBIBYTE;
const USER_BYTES = 16 * MEBIBYTE;

/** What a response counts at least: each takes its share of the event loop, too. */
const LEAST_BYTES = 16 * MEBIBYTE;

const MAX_WAIT_MS = 30_000;

interface Holder {
  readonly userId: string;
  readonly bytes: number;
}

/** Bounds what large responses hold in memory at once; those for which there is no room wait in their order. */
export class ResponseSlots {
  private readonly held = new Set<Holder>();
  private readonly waiting: { readonly holder: Holder; readonly begin: () => void }[] = [];

  /** How many bytes are held now. */
  get bytes(): number {
    return [...this.held].reduce((total, { bytes }) => total + bytes, 0);
  }

  /** How many responses wait for room. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  /**
   * Waits for room.
   * @param bytes what the response holds in memory at most
   * @returns gives the room back; to be called once
   * @throws TooManyLargeResponsesError when there is none for 30 seconds
   */
  async acquire(userId: string, bytes: number): Promise<() => void> {
    const holder = { userId, bytes: Math.min(USER_BYTES, Math.max(LEAST_BYTES, bytes)) };
    if (this.waiting.some((other) => other.holder.userId === userId) || !this.fits(holder))
      await this.turn(holder);
    else this.held.add(holder);
    return () => {
      this.held.delete(holder);
      this.admit();
    };
  }

  private turn(holder: Holder): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        reject(new TooManyLargeResponsesError());
      }, MAX_WAIT_MS);
      const entry = {
        holder,
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.waiting.push(entry);
    });
  }

  /** Whoever waits longest goes first, but nobody waits for room that only another user lacks. */
  private admit(): void {
    for (const entry of [...this.waiting]) {
      if (!this.fits(entry.holder)) continue;
      this.waiting.splice(this.waiting.indexOf(entry), 1);
      this.held.add(entry.holder);
      entry.begin();
    }
  }

  private fits({ userId, bytes }: Holder): boolean {
    const holders = [...this.held];
    const sum = (of: readonly Holder[]): number => of.reduce((total, each) => total + each.bytes, 0);
    const own = holders.filter((holder) => holder.userId === userId);
    return sum(holders) + bytes <= TOTAL_BYTES && sum(own) + bytes <= USER_BYTES;
  }
}
