const LF = 0x0a;
const CR = 0x0d;
/** A longer event is not read as a whole. */
const MOST_BYTES = 8 * 1024 * 1024;
/** So much of its end is kept, where the usage is. */
const KEPT_END = 64 * 1024;

/** Called with the data of a whole event. @returns whether it is left out */
type OnEvent = (data: string) => boolean;

/** Called with the end of an event that is too long, and its length. */
type OnLong = (end: string, bytes: number) => void;

/**
 * Cuts a stream of server-sent events into its events, with a bound on what is kept: one that is longer is passed by, and
 * only its end is looked at.
 */
export class EventPieces {
  private parts: Buffer[] = [];
  private size = 0;
  /** How much of the present event has been dropped. */
  private dropped = 0;

  constructor(
    private readonly onEvent: OnEvent,
    private readonly onLong: OnLong,
  ) {}

  /**
   * Takes what came.
   * @returns the whole events in it that are not left out, as they came; null for none
   */
  push(chunk: Buffer): Buffer | null {
    const passed: Buffer[] = [];
    let from = 0;
    for (let at = this.endFrom(chunk, 0); at >= 0; at = this.endFrom(chunk, at)) {
      passed.push(...this.add(chunk.subarray(from, at)), ...this.take());
      from = at;
    }
    if (from < chunk.length) passed.push(...this.add(chunk.subarray(from)));
    return passed.length === 0 ? null : passed.length === 1 ? (passed[0] ?? null) : Buffer.concat(passed);
  }

  /** What came of an event that never ended; null for nothing. */
  rest(): Buffer | null {
    return this.size === 0 ? null : (this.take()[0] ?? null);
  }

  /** @returns what is passed on already, because the event is too long to wait for its end */
  private add(part: Buffer): readonly Buffer[] {
    this.parts.push(part);
    this.size += part.length;
    if (this.size <= MOST_BYTES) return [];
    const long = Buffer.concat(this.parts);
    const kept = long.subarray(long.length - KEPT_END);
    this.dropped += long.length - kept.length;
    this.parts = [Buffer.from(kept)];
    this.size = kept.length;
    return [long.subarray(0, long.length - KEPT_END)];
  }

  /** @returns the event that is there, or nothing if it is left out */
  private take(): readonly Buffer[] {
    const [only = Buffer.alloc(0)] = this.parts;
    const event = this.parts.length === 1 ? only : Buffer.concat(this.parts);
    const { dropped } = this;
    this.parts = [];
    this.size = 0;
    this.dropped = 0;
    if (dropped > 0) {
      this.onLong(event.toString(), dropped + event.length);
      return [event];
    }
    const data = dataOf(event);
    return data !== null && this.onEvent(data) ? [] : [event];
  }

  /** The position behind the empty line that ends an event, from a position on; -1 for none. */
  private endFrom(chunk: Buffer, from: number): number {
    for (let at = chunk.indexOf(LF, from); at >= 0; at = chunk.indexOf(LF, at + 1)) {
      const before = this.byteBefore(chunk, at, from);
      const isEmptyLine = before === LF || (before === CR && this.byteBefore(chunk, at - 1, from) === LF);
      if (isEmptyLine) return at + 1;
    }
    return -1;
  }

  /** The byte before a position of the chunk, in the event: possibly in what came before. */
  private byteBefore(chunk: Buffer, at: number, from: number): number | undefined {
    if (at > from) return chunk[at - 1];
    let back = from - at + 1;
    for (let part = this.parts.length - 1; part >= 0; part--) {
      const bytes = this.parts[part] ?? Buffer.alloc(0);
      if (back <= bytes.length) return bytes[bytes.length - back];
      back -= bytes.length;
    }
    return undefined;
  }
}

/** The data of an event; null for one without. */
function dataOf(event: Buffer): string | null {
  const lines = event.toString().split(/\r?\n/);
  const data = lines.flatMap((line) => (line.startsWith('data:') ? line.slice(5) : []));
  return data.length === 0 ? null : data.join('\n');
}
