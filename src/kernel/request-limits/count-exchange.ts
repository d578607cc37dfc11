import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { JobHandlers } from '../jobs';
import type { Bucket } from './buckets';
import { addCounts, deleteOldCounts, type InBucket } from './request-counts.query';
import type { UnsharedCount, WindowCounts } from './window-counts';

/** How long other replicas may not know of a request; the overshoot of a limit grows with it. */
const EXCHANGE_EVERY_MS = 1_000;

/** Subjects of one exchange; the rest waits for the next. */
const MOST_AT_ONCE = 5_000;

const CLEAN_UP_SECONDS = 600;

/**
 * Exchanges counts with the other replicas through PostgreSQL, about every second while there is anything to send, and
 * never on a request's path. While the database cannot be reached, each replica uses its own counts.
 */
@Injectable()
export class CountExchange implements OnModuleDestroy {
  private readonly logger = new Logger(CountExchange.name);
  private readonly buckets = new Map<Bucket, WindowCounts>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isFailing = false;
  private isStopped = false;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    handlers: JobHandlers,
  ) {
    handlers.every('request-count-clean-up', CLEAN_UP_SECONDS, () => deleteOldCounts(database));
  }

  /** Schedules an exchange of the counts of a bucket. */
  register(bucket: Bucket, counts: WindowCounts): void {
    this.buckets.set(bucket, counts);
  }

  /** Makes sure that new counts are exchanged within about a second. */
  schedule(): void {
    if (this.isStopped) return;
    this.timer ??= setTimeout(() => {
      this.running = this.exchange();
    }, EXCHANGE_EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async exchange(): Promise<void> {
    const counts = this.takeUnshared();
    try {
      for (const { bucket, ...shared } of await addCounts(this.database, counts))
        this.buckets.get(bucket)?.learn(shared);
      this.isFailing = false;
    } catch (error) {
      for (const { bucket, ...count } of counts) this.buckets.get(bucket)?.putBack(count);
      if (!this.isFailing)
        this.logger.warn({ err: error }, 'Could not exchange request counts with other replicas');
      this.isFailing = true;
    }
    this.timer = undefined;
    if ([...this.buckets.values()].some(({ hasUnshared }) => hasUnshared)) this.schedule();
  }

  private takeUnshared(): InBucket<UnsharedCount>[] {
    const taken: InBucket<UnsharedCount>[] = [];
    for (const [bucket, counts] of this.buckets)
      for (const count of counts.takeUnshared(MOST_AT_ONCE - taken.length)) taken.push({ ...count, bucket });
    return taken;
  }
}
