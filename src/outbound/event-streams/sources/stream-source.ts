import { eventFrame, gapFrame, newsFrame } from './frames';

/** An event of more bytes is large. */
export const MAX_SHARED_BYTES = 1024 * 1024;

/** What stands at a position of a log: an event, or a gap that ends there. */
export class StreamStep {
  private made: Buffer | undefined;

  private constructor(
    readonly position: number,
    /** The kind of an event; null for a gap. */
    readonly kind: string | null,
    /** Each stream reads a large event separately, one at a time, since slow readers keep it in memory. */
    readonly isLarge: boolean,
    private readonly text: () => string,
  ) {}

  /** @param json of the event as it is sent */
  static event(position: number, kind: string, json: string): StreamStep {
    return new StreamStep(position, kind, json.length > MAX_SHARED_BYTES, () => eventFrame(position, json));
  }

  /** What the service sends beside the events of a conversation. @param json as it is sent */
  static news(position: number, kind: string, json: string): StreamStep {
    return new StreamStep(position, kind, false, () => newsFrame(kind, json));
  }

  /** Events from one position to another are gone. */
  static gap(from: number, to: number): StreamStep {
    return new StreamStep(to, null, false, () => gapFrame(from, to));
  }

  /** The frame as it is sent, serialized once for all streams. */
  get frame(): Buffer {
    return (this.made ??= Buffer.from(this.text()));
  }
}

/** The next page of a log. */
export interface SourcePage {
  readonly steps: readonly StreamStep[];
  /** The position up to which nothing was left out, but for kinds that nobody asked for. */
  readonly end: number;
  readonly hasMore: boolean;
}

/** Which events a stream reads. */
export interface WantedEvents {
  /** Null for all. */
  readonly kinds: ReadonlySet<string> | null;
  readonly large: boolean;
}

/** The range of positions in a log. */
export interface SourceBounds {
  readonly last: number;
  /** No position above it was ever given. */
  readonly highest: number;
}

/** Logs of one sort, each known by the id of what it is about. */
export abstract class StreamSource {
  /** The current range of a log. */
  abstract bounds(id: string): Promise<SourceBounds>;

  /**
   * The next page of several logs, shared by their streams.
   * @param cursors after which position, by log
   * @returns pages of those that have any
   */
  abstract nextOfEach(cursors: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, SourcePage>>;

  /**
   * The next page of one log, for a single stream.
   * @param wanted which kinds, null for all, and whether a large event may come; where none may, and one is next, the page
   *   has more and ends where it began
   */
  abstract next(id: string, after: number, wanted: WantedEvents): Promise<SourcePage>;
}
