import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock, newId } from '../../../kernel/common';
import { Notifications } from '../../../kernel/database';
import { OpenStreams } from '../connections/open-streams';
import { READERS_CHANNEL, TELL_READERS } from './wake.query';

const ANNOUNCE_MS = 1_000;
/** A replica counts as one with open streams for so long after it said so. */
const PRESENT_MS = 5_000;

/** Knows whether any replica has open streams: nothing is told for streams that nobody has. */
@Injectable()
export class StreamReaders implements OnApplicationBootstrap, OnModuleDestroy {
  /** By which replicas know what they told themselves. */
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
    TELL_READERS.rows(this.database, [this.replica]).catch((error: unknown) =>
      this.logger.debug({ err: error }, 'The others were not told of open streams; they look by themselves'),
    );
  }
}
