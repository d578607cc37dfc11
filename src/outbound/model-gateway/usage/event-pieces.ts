import { MEBIBYTE } from '../../../kernel/common';
import { GatheredBytes, KEPT_END } from './gathered-bytes';

/** A longer event is not read as a whole. */
const MOST_BYTES = MEBIBYTE;

/** Called with the data of a whole event. @returns whether it is left out */
type OnEvent = (data: string) => boolean;

/** Called with the end of an event that is too long, and its length. */
type OnLong = (end: string, bytes: number) => void;

/**
 * Cuts a stream of server-sent events into its events, with a bound on what is kept: one that is longer is passed by, and
 * only its end is looked at.
 */
export class EventPieces {
  /** What there is of the present event. */
  private readonly held = new GatheredBytes();
  /** How much of the present event has been dropped. */
  private dropped = 0;

  /** @param holds whether there is memory for so many bytes; without, what is held is too long */
  constructor(
    private readonly onEvent: OnEvent,
    private readonly onLong: OnLong,
    private readonly holds: (bytes: number) => boolean,
  ) {}

  /**
   * Takes what came.
   * @returns the whole events in it that are not left out, as they came; null for none
   */
  push(chunk: Buffer): Buffer | null {
    const before = this.held.length;
    if (before > 0) this.held.add(chunk);
    const bytes = before > 0 ? this.held.all : chunk;
    const passed: Buffer[] = [];
    let [from, kept] = [0, 0];
    for (const end of endsIn(bytes, Math.max(0, before - 2))) {
      if (this.isLeftOut(bytes.subarray(from, end))) {
        passed.push(bytes.subarray(kept, from));
        kept = end;
      }
      from = end;
    }
    passed.push(bytes.subarray(kept, from));
    if (before === 0 || from > 0) {
      this.held.take();
      this.held.add(bytes.subarray(from));
    }
    if (!this.holds(this.held.allocated) || this.held.length > MOST_BYTES) passed.push(this.drop());
    const some = passed.filter(({ length }) => length > 0);
    return some.length > 1 ? Buffer.concat(some) : (some[0] ?? null);
  }

  /** What came of an event that never ended; null for nothing. */
  rest(): Buffer | null {
    if (this.held.length === 0) return null;
    const event = this.held.take();
    return this.isLeftOut(event) ? null : event;
  }

  /** @returns what is passed on already, because the event is too long to wait for its end */
  private drop(): Buffer {
    const long = this.held.take();
    const begun = long.subarray(0, long.length - KEPT_END);
    this.held.add(long.subarray(begun.length));
    this.dropped += begun.length;
    return begun;
  }

  private isLeftOut(event: Buffer): boolean {
    const { dropped } = this;
    this.dropped = 0;
    if (dropped > 0) {
      this.onLong(event.toString(), dropped + event.length);
      return false;
    }
    const data = dataOf(event);
    return data !== null && this.onEvent(data);
  }
}

/** The positions behind the empty lines that end events. @param from where the first one may begin */
function* endsIn(bytes: Buffer, from: number): Generator<number> {
  let short = bytes.indexOf('\n\n', from);
  let long = bytes.indexOf('\n\r\n', from);
  while (short >= 0 || long >= 0) {
    const end = long < 0 || (short >= 0 && short < long) ? short + 2 : long + 3;
    yield end;
    if (short >= 0 && short < end) short = bytes.indexOf('\n\n', end);
    if (long >= 0 && long < end) long = bytes.indexOf('\n\r\n', end);
  }
}

/** The data of an event; null for one without. */
function dataOf(event: Buffer): string | null {
  if (!event.includes('data:')) return null;
  const lines = event.toString().split(/\r?\n/);
  const data = lines.flatMap((line) => (line.startsWith('data:') ? line.slice(5) : []));
  return data.length === 0 ? null : data.join('\n');
}
