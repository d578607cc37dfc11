import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy, Logger } from '@nestjs/common';
import { type EntityManager, DataSource } from 'typeorm';
import { Notifications } from '../../../kernel/database';
import { DomainEventLog, type LogConsumer, type LoggedEvent } from '../../../kernel/domain-events';
import { ConversationTails, NewsTails, OrganizationTails } from '../tails/tails';
import { MAX_PAYLOAD_BYTES, NEWS_CHANNEL, NOTIFY_NEWS, NOTIFY_READERS, READERS_CHANNEL } from './wake.query';
import { InjectDataSource } from '@nestjs/typeorm';
import { Clock, newId } from '../../../kernel/common';
import { OpenStreams } from '../connections/open-streams';

const ANNOUNCE_MS = 1_000;
/** A replica counts as one with open streams for so long after it said so. */
const PRESENT_MS = 5_000;

/** Knows whether any replica has open streams: nobody is notified for streams that do not exist. */
@Injectable()
export class StreamReaders implements OnApplicationBootstrap, OnModuleDestroy {
  /** By which replicas recognize their own notifications. */
  readonly replica = newId();
  private readonly logger = new Logger(StreamReaders.name);
  private othersUntilMs = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly streams: OpenStreams,
    private readonly clock: Clock,
    notifications: Notifications,
  ) {
    notifications.listen(READERS_CHANNEL, (replica) => {
      if (replica !== null && replica !== this.replica)
        this.othersUntilMs = this.clock.monotonicMs() + PRESENT_MS;
    });
  }

  onApplicationBootstrap(): void {
    this.streams.onFirst(() => this.announce());
    this.timer = setInterval(() => this.announce(), ANNOUNCE_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Whether another replica has open streams, as far as it is known. */
  areElsewhere(): boolean {
    return this.clock.monotonicMs() < this.othersUntilMs;
  }

  /** Whether any replica has. */
  areAnywhere(): boolean {
    return this.streams.count() > 0 || this.areElsewhere();
  }

  private announce(): void {
    if (this.streams.count() === 0) return;
    NOTIFY_READERS.rows(this.database, [this.replica]).catch((error: unknown) =>
      this.logger.debug({ err: error }, 'The others were not told of open streams; they look by themselves'),
    );
  }
}

/** Any log may have something new. */
const ALL = '*';

/** How often all followed logs are polled, whatever was notified. */
const POLL_MS = 1_000;

/** What streams are sent is kept for so long, or twice as long, for readers that reconnect. */
const KEEP_MS = 6_000;

/**
 * Wakes the streams of all replicas when their logs have something new: whoever gives positions to domain events notifies
 * them, with the commit (docs/decisions/0038-streams.md).
 */
@Injectable()
export class WakeUps implements LogConsumer, OnApplicationBootstrap, OnModuleDestroy {
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    log: DomainEventLog,
    notifications: Notifications,
    private readonly readers: StreamReaders,
    private readonly conversations: ConversationTails,
    private readonly organizations: OrganizationTails,
    private readonly news: NewsTails,
  ) {
    log.consume(this);
    notifications.listen(NEWS_CHANNEL, (payload) =>
      this.wake(payload === null || payload === ALL ? null : payload.split(',')),
    );
  }

  onApplicationBootstrap(): void {
    this.timers.push(
      setInterval(() => this.wake(null), POLL_MS).unref(),
      setInterval(() => this.age(), KEEP_MS).unref(),
    );
  }

  onModuleDestroy(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  isWaiting(): boolean {
    return this.readers.areAnywhere();
  }

  async take(transaction: EntityManager, events: readonly LoggedEvent[]): Promise<void> {
    if (!this.isWaiting()) return;
    const ids = new Set<string>();
    for (const { event } of events) {
      if (event.org_id !== null) ids.add(event.org_id);
      if ('conversation_id' in event && typeof event.conversation_id === 'string')
        ids.add(event.conversation_id);
    }
    if (ids.size === 0) return;
    const payload = [...ids].join(',');
    await NOTIFY_NEWS.rows(transaction, [payload.length > MAX_PAYLOAD_BYTES ? ALL : payload]);
  }

  committed(): void {
    // Notified with the commit.
  }

  private age(): void {
    for (const tails of [this.conversations, this.organizations, this.news]) tails.age();
  }

  private wake(ids: readonly string[] | null): void {
    for (const tails of [this.conversations, this.organizations, this.news]) tails.wake(ids);
  }
}
