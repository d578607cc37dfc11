import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { backOff } from '../../common';
import { isDatabaseUnavailable } from '../../database';
import { AuditEvents, type AuditFields } from '../../domain-events';
import { Metrics } from '../../http';
import { outsideOfSpans } from '../../telemetry';
import { type PendingRow, PendingRows } from './pending-rows';

/** From a call to the statement that writes its row, if none is under way. */
const GATHERED_MS = 50;
const ROWS_AT_ONCE = 500;
/** What waits at most, in rows and in bytes: while the database is away, and in a flood. */
const MOST_ROWS = 10_000;
const MOST_BYTES = 8 * 1024 * 1024;
/** Refused calls of which rows are kept in a second, of all and of one caller: whoever has a key could fill the log with them. */
const MOST_REFUSED_PER_SECOND = 1_000;
const MOST_REFUSED_OF_ONE = 200;
const RETRY_MS = 100;
const MOST_RETRY_MS = 5_000;
const SAID_EVERY_MS = 60_000;

/** What a row has beside its texts. */
const ROW_BYTES = 600;

/**
 * Writes the rows of calls that are over, many at once. What waits is bounded: beyond that rows are dropped, which a metric counts
 * and the log says.
 */
@Injectable()
export class AuditWriter implements BeforeApplicationShutdown {
  private readonly logger = new Logger(AuditWriter.name);
  private readonly dropped: Counter;
  private waiting: PendingRow[] = [];
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private isStopping = false;
  private failures = 0;
  private refusedIn = 0;
  private refused = 0;
  /** By their callers; no more of them than calls are kept. */
  private readonly refusedOf = new Map<string, number>();
  private saidAt = -Infinity;

  constructor(
    private readonly events: AuditEvents,
    private readonly pending: PendingRows,
    metrics: Metrics,
  ) {
    this.dropped = new Counter({
      name: 'audit_rows_dropped_total',
      help: 'Rows of the audit log that were not written, since too many waited or the database refused them.',
      registers: [metrics.registry],
    });
  }

  /** Has a row written, within a tenth of a second where the database answers. */
  add(row: PendingRow): void {
    const bytes = bytesOf(row.fields);
    const isFull = this.waiting.length >= MOST_ROWS || this.bytes + bytes > MOST_BYTES;
    if (isFull || (row.fields.outcome === 'refused' && this.isFlood(callerOf(row)))) {
      this.drop(1, 'too many waited or were refused');
      return;
    }
    this.waiting.push(row);
    this.bytes += bytes;
    this.plan(GATHERED_MS);
  }

  /** Writes what waits. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.writing;
    await this.write();
    if (this.waiting.length > 0) this.drop(this.waiting.length, 'the service stopped');
  }

  private plan(ms: number): void {
    if (this.isStopping || this.writing !== undefined) return;
    this.timer ??= setTimeout(() => this.begin(), ms);
  }

  private begin(): void {
    this.timer = undefined;
    this.writing = outsideOfSpans(() => this.write()).then(() => {
      this.writing = undefined;
      if (this.waiting.length > 0) this.plan(backOff(this.failures, RETRY_MS, MOST_RETRY_MS));
    });
  }

  /** Never rejects; ends where the database is away. */
  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, ROWS_AT_ONCE);
      try {
        await this.store(batch);
        this.failures = 0;
      } catch (error) {
        if (isDatabaseUnavailable(error)) {
          if (this.failures++ === 0)
            this.logger.warn({ err: error }, 'Rows of the audit log could not be written; they wait');
          return;
        }
        await this.storeEach(batch);
      }
      this.waiting = this.waiting.slice(batch.length);
      for (const { fields } of batch) this.bytes -= bytesOf(fields);
    }
  }

  private async store(batch: readonly PendingRow[]): Promise<void> {
    const rows = await this.pending.complete(batch);
    if (rows.length > 0) await this.events.addAll(rows);
  }

  /** One that cannot be stored must not keep the others from it. */
  private async storeEach(batch: readonly PendingRow[]): Promise<void> {
    for (const row of batch)
      await this.store([row]).catch((error: unknown) => this.drop(1, 'it could not be stored', error));
  }

  private isFlood(caller: string): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.refusedIn) {
      this.refused = 0;
      this.refusedOf.clear();
    }
    this.refusedIn = second;
    const ofCaller = this.refusedOf.get(caller) ?? 0;
    if (ofCaller >= MOST_REFUSED_OF_ONE || this.refused >= MOST_REFUSED_PER_SECOND) return true;
    this.refused++;
    this.refusedOf.set(caller, ofCaller + 1);
    return false;
  }

  private drop(rows: number, why: string, error?: unknown): void {
    this.dropped.inc(rows);
    const now = performance.now();
    if (now - this.saidAt < SAID_EVERY_MS) return;
    this.saidAt = now;
    this.logger.error(
      { err: error },
      `Rows of the audit log are dropped: ${why}. audit_rows_dropped_total counts them.`,
    );
  }
}

function bytesOf({ action, target, personal }: AuditFields): number {
  return ROW_BYTES + action.length + (target?.id.length ?? 0) + (personal.user_agent?.length ?? 0);
}

/** Whose refused calls are counted together. */
function callerOf({ fields: { actor }, credential }: PendingRow): string {
  return actor.user_id ?? credential ?? actor.key_prefix ?? actor.kind;
}
