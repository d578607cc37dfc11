import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Grant } from '../../../kernel/auth';
import { KeyedSemaphore } from '../../../kernel/common';
import { organizationShare, SETTINGS, type Settings } from '../../../kernel/config';
import { ResponseSlots, ServiceStoppingError } from '../../../kernel/http';
import { type StreamScope, TooManyStreamsError } from '../event-streams.errors';
import type { EndReason } from '../sources/frames';

export const STREAM_KINDS = ['conversation', 'organization'] as const;

type StreamKind = (typeof STREAM_KINDS)[number];

const MAX_STREAMS_OF_KEY = 20;

/** How many streams may query the database at once, so that connections are left for requests. */
const MAX_READS = 4;

/** A reader that takes longer for a large event is disconnected, since others wait for its slot. */
const MAX_LARGE_MS = 120_000;

const HEARTBEAT_SECONDS = 15;

/** Who reads which log. */
export interface StreamHolder extends Grant {
  readonly keyId: number;
  readonly kind: StreamKind;
  /** Set for the stream of a conversation. */
  readonly conversationId: string | null;
}

/** Why streams end: for a reason of the service, or because the client closed it. */
type StreamEnd = EndReason | 'client';

/** What the registry calls on an open stream. */
interface HeldStream {
  end(reason: EndReason): void;
  beat(): void;
}

/** Counts, limits and ends the streams of this process, and keeps them alive. */
@Injectable()
export class OpenStreams implements OnModuleInit, OnModuleDestroy {
  readonly ends = new Map<string, { kind: StreamKind; reason: StreamEnd; count: number }>();
  readonly sent: Record<StreamKind, number> = { conversation: 0, organization: 0 };
  private readonly all = new Set<StreamPlace>();
  private readonly shares: KeyedSemaphore<StreamScope>;
  private readonly reads = new KeyedSemaphore({ replica: MAX_READS });
  private readonly large = new ResponseSlots();
  private readonly listeners: (() => void)[] = [];
  private opened = 0;
  private beats = 0;
  private isStopping = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.shares = new KeyedSemaphore(
      {
        key: MAX_STREAMS_OF_KEY,
        user: settings.OPEN_PER_USER,
        organization: organizationShare(settings.OPEN_STREAMS, settings),
        replica: settings.OPEN_STREAMS,
      },
      (most, scope) => new TooManyStreamsError(most, scope),
    );
  }

  onModuleInit(): void {
    // One timer for all streams; each second it serves a share of them.
    this.timer = setInterval(() => this.beat(), 1_000).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.stop();
  }

  /** Calls back when the first stream opens. */
  onFirst(listener: () => void): void {
    this.listeners.push(listener);
  }

  /**
   * Reserves a slot for a stream that is about to begin; the caller has to free it.
   * @throws TooManyStreamsError, ServiceStoppingError
   */
  take(holder: StreamHolder): StreamPlace {
    if (this.isStopping) throw new ServiceStoppingError();
    const { keyId: key, userId: user, orgId: organization } = holder;
    const release = this.shares.take({ key, user, organization, replica: '' });
    const place = new StreamPlace(this, holder, this.opened++ % HEARTBEAT_SECONDS, release);
    this.all.add(place);
    if (this.all.size === 1) for (const listener of this.listeners) listener();
    return place;
  }

  /** Called when a slot is freed. */
  remove(place: StreamPlace): void {
    this.all.delete(place);
  }

  /** Called when the stream of a slot has ended. */
  noteEnd(kind: StreamKind, reason: StreamEnd): void {
    const name = `${kind} ${reason}`;
    this.ends.set(name, { kind, reason, count: (this.ends.get(name)?.count ?? 0) + 1 });
  }

  /** All open streams. */
  places(): readonly StreamPlace[] {
    return [...this.all];
  }

  /** The number of open streams, of one kind or of both. */
  count(kind?: StreamKind): number {
    if (kind === undefined) return this.all.size;
    let count = 0;
    for (const { holder } of this.all) if (holder.kind === kind) count++;
    return count;
  }

  /** Runs a read under the limit on concurrent reads. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.reads.whenFree({ replica: '' }, work);
  }

  /**
   * Reads and sends a large event under the limit on these, one at a time for each user.
   * @param overdue called when that takes too long
   * @throws TooManyLargeResponsesError when its turn does not come
   */
  async inTurnForLarge(userId: string, work: () => Promise<unknown>, overdue: () => void): Promise<void> {
    const release = await this.large.acquire(userId, 0);
    const timer = setTimeout(overdue, MAX_LARGE_MS).unref();
    try {
      await work();
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  /** Ends all of them, because the service stops; readers get a time to reconnect. */
  stop(): void {
    this.isStopping = true;
    for (const place of this.all) place.end('service_stopping');
  }

  private beat(): void {
    const turn = this.beats++ % HEARTBEAT_SECONDS;
    for (const place of this.all) if (place.turn === turn) place.beat();
  }
}

/** A slot for an open stream; the stream is attached once it begins. */
export class StreamPlace {
  private stream: HeldStream | undefined;
  private reason: EndReason | undefined;

  constructor(
    private readonly streams: OpenStreams,
    readonly holder: StreamHolder,
    /** The second of the heartbeat interval in which the stream gets its heartbeat. */
    readonly turn: number,
    private readonly release: () => void,
  ) {}

  /** Attaches the stream. */
  hold(stream: HeldStream): void {
    this.stream = stream;
  }

  /** Why the stream was ended before it was attached. */
  get endedFor(): EndReason | undefined {
    return this.reason;
  }

  end(reason: EndReason): void {
    this.reason = reason;
    this.stream?.end(reason);
  }

  beat(): void {
    this.stream?.beat();
  }

  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.streams.inTurn(work);
  }

  inTurnForLarge(work: () => Promise<unknown>, overdue: () => void): Promise<void> {
    return this.streams.inTurnForLarge(this.holder.userId, work, overdue);
  }

  /** An event was sent. */
  sent(): void {
    this.streams.sent[this.holder.kind]++;
  }

  /** The stream has ended. */
  ended(reason: StreamEnd): void {
    this.streams.noteEnd(this.holder.kind, reason);
  }

  /** Frees the slot. */
  free(): void {
    this.release();
    this.streams.remove(this);
  }
}
