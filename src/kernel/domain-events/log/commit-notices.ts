import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../config';
import { Notifications } from '../../database';
import { outsideOfSpans } from '../../telemetry';
import { TELL_WRITTEN, URGENT, WRITTEN_CHANNEL } from './commit-notices.query';
import { DomainEventLog } from './domain-event-log';
import { DomainEventSequencer } from './domain-event-sequencer';

/** Commits within this time share one notification. */
const GAP_MS = 10;

/**
 * Replicas that only answer requests notify the others that there is something to number, after the
 * commit: a notification inside of transactions would have their commits wait for one another.
 */
@Injectable()
export class CommitNotices implements OnApplicationBootstrap {
  private readonly logger = new Logger(CommitNotices.name);
  private isPlanned = false;
  private isUrgent = false;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly log: DomainEventLog,
    @Inject(SETTINGS) private readonly settings: Settings,
    notifications: Notifications,
    sequencer: DomainEventSequencer,
  ) {
    if (settings.APP_ROLE !== 'api')
      notifications.listen(WRITTEN_CHANNEL, (payload) => sequencer.wakeIfAwaited(payload === URGENT));
  }

  onApplicationBootstrap(): void {
    if (this.settings.APP_ROLE === 'api') this.log.onWritten((isUrgent) => this.plan(isUrgent));
  }

  private plan(isUrgent: boolean): void {
    this.isUrgent ||= isUrgent;
    if (this.isPlanned) return;
    this.isPlanned = true;
    setTimeout(() => {
      const payload = this.isUrgent ? URGENT : '';
      this.isPlanned = false;
      this.isUrgent = false;
      outsideOfSpans(() => TELL_WRITTEN.rows(this.database, [payload])).catch((error: unknown) =>
        this.logger.debug(
          { err: error },
          'The others were not told of domain events; they will look themselves',
        ),
      );
    }, GAP_MS).unref();
  }
}
