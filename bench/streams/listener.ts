import { setTimeout as pause } from 'node:timers/promises';
import { StreamReader } from '../../test/support/streams/stream-reader';
import type { Replica } from './replica';

/** In which listeners begin. */
const SPREAD_MS = 2_000;

/** What a listener got. */
export interface Heard {
  /** From the call that told an event to its arrival, in milliseconds. */
  readonly lagsMs: number[];
  readonly missed: number;
  readonly doubled: number;
}

/** A client that follows a conversation from its beginning, and connects again and again. */
export class Listener {
  private readonly lagsMs: number[] = [];
  private readonly seen = new Set<number>();
  private doubled = 0;
  private position = '0';
  private reader: StreamReader | undefined;
  private isOver = false;

  /** @param sentAt when events were told, by their ids */
  constructor(
    private readonly path: string,
    private readonly key: string,
    private readonly replicas: readonly Replica[],
    private readonly sentAt: ReadonlyMap<string, number>,
  ) {}

  /** Reads, each time for so long, until {@link stop} is called. */
  async run(reconnectMs: number, turn: number): Promise<void> {
    // Not all at once, but all before the first event is told.
    await pause(Math.random() * Math.min(reconnectMs, SPREAD_MS));
    let lengthMs = Math.random() * reconnectMs;
    for (let n = turn; !this.hasStopped(); n++) {
      await this.connect(n);
      // At once where the connection breaks.
      if (this.reader === undefined) await pause(50);
      else await Promise.race([pause(lengthMs), this.reader.ended]);
      if (this.hasStopped()) return;
      this.leave();
      lengthMs = reconnectMs;
    }
  }

  /** How many events came so far. */
  get count(): number {
    return this.seen.size + (this.reader?.of('message').length ?? 0);
  }

  /** @param expected how many events there are */
  stop(expected: number): Heard {
    this.isOver = true;
    this.leave();
    const { lagsMs, seen, doubled } = this;
    return { lagsMs, missed: expected - seen.size, doubled };
  }

  /** A method, since it may change during any await. */
  private hasStopped(): boolean {
    return this.isOver;
  }

  private async connect(n: number): Promise<void> {
    const alive = this.replicas.filter(({ isKilled }) => !isKilled);
    const url = alive[n % alive.length]?.url ?? '';
    const headers = { 'Last-Event-ID': this.position };
    const reader = await StreamReader.open(`${url}${this.path}`, { key: this.key, headers }).catch(
      () => null,
    );
    if (reader?.status === 200 && !this.isOver) this.reader = reader;
    else reader?.close();
  }

  private leave(): void {
    const { reader } = this;
    this.reader = undefined;
    if (reader === undefined) return;
    reader.close();
    for (const { id, data, atMs } of reader.of('message')) {
      const number = Number(id);
      if (this.seen.has(number)) this.doubled++;
      this.seen.add(number);
      const sentAt = this.sentAt.get((JSON.parse(data) as { id: string }).id);
      if (sentAt !== undefined) this.lagsMs.push(atMs - sentAt);
    }
    this.position = reader.lastId ?? this.position;
  }
}
