import { KeyedSemaphore, MEBIBYTE } from '../../common';
import { TooManyLargeResponsesError } from '../errors/http.errors';

/** What all large responses of a process hold at once, and those of a user. */
const TOTAL_BYTES = 32 * MEBIBYTE;
const USER_BYTES = 16 * MEBIBYTE;

/** What a response counts at least: each takes its share of the event loop, too. */
const LEAST_BYTES = 16 * MEBIBYTE;

const MAX_WAIT_MS = 30_000;

/** Bounds what large responses hold in memory at once; those for which there is no room wait in their order. */
export class ResponseSlots {
  private readonly bytesHeld = new KeyedSemaphore({ user: USER_BYTES, replica: TOTAL_BYTES });

  /** How many bytes are held now. */
  get bytes(): number {
    return this.bytesHeld.used('replica', '');
  }

  /** How many responses wait for room. */
  get waitingCount(): number {
    return this.bytesHeld.waiting;
  }

  /**
   * Waits for room.
   * @param bytes what the response holds in memory at most
   * @returns gives the room back
   * @throws TooManyLargeResponsesError when there is none for 30 seconds
   */
  async acquire(user: string, bytes: number): Promise<() => void> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(new TooManyLargeResponsesError()), MAX_WAIT_MS);
    const units = Math.min(USER_BYTES, Math.max(LEAST_BYTES, bytes));
    try {
      return await this.bytesHeld.acquire({ user, replica: '' }, { units, signal: patience.signal });
    } finally {
      clearTimeout(timer);
    }
  }
}
