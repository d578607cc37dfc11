import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { MEBIBYTE } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { Metrics } from '../../../kernel/http';
import { JobHandlers } from '../../../kernel/jobs';
import { STORAGE_USE, type StorageUseRow } from './storage-use.read-model';

const EVERY_SECONDS = 60;
const WARN_FROM = 0.8;

/** Reports storage limit usage as a metric, and logs a warning from 80 % on. */
@Injectable()
export class StorageMetrics {
  private readonly logger = new Logger(StorageMetrics.name);
  private readonly used: Gauge<'limit'>;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @Inject(SETTINGS) private readonly settings: Settings,
    metrics: Metrics,
    handlers: JobHandlers,
  ) {
    this.used = new Gauge({
      name: 'storage_limit_used_ratio',
      help: "Highest share of a storage limit used by one owner, at this process's last check.",
      labelNames: ['limit'] as const,
      registers: [metrics.registry],
    });
    handlers.every('storage-use', EVERY_SECONDS, () => this.updateUsage());
  }

  private async updateUsage(): Promise<void> {
    const { settings } = this;
    const rows = await STORAGE_USE.rows(this.database, [
      settings.MESSAGE_MEBIBYTES_PER_USER * MEBIBYTE,
      settings.MESSAGE_MEBIBYTES_PER_ORG * MEBIBYTE,
      settings.EVENT_MEBIBYTES_PER_CONVERSATION * MEBIBYTE,
      settings.EVENT_MEBIBYTES_PER_ORG * MEBIBYTE,
      settings.EARLY_QUEUE_MEBIBYTES * MEBIBYTE,
    ]);
    const highest = new Map<string, number>();
    for (const { limit, ratio } of rows) highest.set(limit, Math.max(highest.get(limit) ?? 0, ratio));
    // A limit that nobody uses any more has no row.
    this.used.reset();
    for (const [limit, ratio] of highest) this.used.set({ limit }, ratio);
    for (const row of rows) if (row.ratio >= WARN_FROM) this.warn(row);
  }

  private warn({ limit, owner, ratio }: StorageUseRow): void {
    this.logger.warn(`${owner} uses ${Math.round(ratio * 100)} % of the limit ${limit}`);
  }
}
