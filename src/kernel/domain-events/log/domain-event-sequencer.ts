import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { isRecord } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import { ADVISORY_LOCKS } from '../../database';
import { JobHandlers } from '../../jobs';
import { DomainEventKinds } from '../domain-event-kinds';
import { DomainEventLog, type TakenEvent } from './domain-event-log';
import {
  DELETE_OLD_EVENTS,
  HAS_UNPOSITIONED,
  type BatchRow,
  POSITION_EVENTS,
  type PositionedRow,
} from './domain-event-log.query';
import { type Beat, Pacemaker } from './pacemaker';

const BATCH = 500;
/** Between two batches, while somebody waits: what is committed meanwhile goes together. */
const GAP_MS = 10;
/** Between two looks without a signal, and between two batches while nobody waits. */
const POLL_MS = 1_000;
/** After a batch that failed, with its consumers: the first wait of those that grow, and the longest. */
const RETRY_MS = 250;
const MOST_RETRY_MS = 30_000;
/** Before all organizations. */
const FIRST = '00000000-0000-0000-0000-000000000000';
const KEPT = '7 days';
const CLEAN_UP_SECONDS = 600;
const DELETED_AT_ONCE = 5_000;

/** Kinds that the log names; their names come from elsewhere. */
const MOST_UNREAD = 100;

/**
 * Gives committed events their positions and hands them to the consumers, on one replica at a time. A lower id may be
 * committed after a higher one; positions are given to what is committed already, so that they appear in their order.
 */
@Injectable()
export class DomainEventSequencer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DomainEventSequencer.name);
  private readonly pacemaker = new Pacemaker(() => this.beat(), {
    gapMs: GAP_MS,
    pollMs: POLL_MS,
    retryMs: RETRY_MS,
    mostRetryMs: MOST_RETRY_MS,
  });

  /** Kinds of events that could not be read. */
  private readonly unread = new Set<string>();

  /** The organization that the next batch begins behind. */
  private behind = FIRST;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly log: DomainEventLog,
    private readonly kinds: DomainEventKinds,
    @Inject(SETTINGS) private readonly settings: Settings,
    handlers: JobHandlers,
  ) {
    handlers.every('domain-events-clean-up', CLEAN_UP_SECONDS, () => this.deleteOld());
  }

  onApplicationBootstrap(): void {
    if (this.settings.APP_ROLE === 'api') return;
    this.log.onWritten((isUrgent) => this.wakeIfAwaited(isUrgent));
    this.pacemaker.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.pacemaker.stop();
  }

  /**
   * Looks for new events as soon as it may, if anybody waits for them.
   * @param isUrgent whether it is known that somebody does
   */
  wakeIfAwaited(isUrgent: boolean): void {
    if (isUrgent || this.log.consumers.some((consumer) => consumer.isWaiting())) this.pacemaker.wake();
  }

  private async beat(): Promise<Beat> {
    try {
      const [unpositioned] = await HAS_UNPOSITIONED.rows(this.database, []);
      return unpositioned?.found === true ? await this.position() : 'done';
    } catch (error) {
      this.logger.warn({ err: error }, 'Domain events could not be given their positions; they wait');
      return 'failed';
    }
  }

  private async position(): Promise<Beat> {
    const { consumers } = this.log;
    const batch = await this.database.transaction(async (transaction) => {
      const found = await POSITION_EVENTS.rows(transaction, [ADVISORY_LOCKS.positions, BATCH, this.behind]);
      if (found.some((row) => row.position === null && !row.locked)) return 'elsewhere';
      const rows = found.filter((row) => row.position !== null);
      const events = rows.flatMap((row) => this.read(row));
      if (rows.length > 0) for (const consumer of consumers) await consumer.take(transaction, events);
      return rows;
    });
    if (batch === 'elsewhere') return batch;
    if (batch.length > 0) for (const consumer of consumers) consumer.committed();
    const wasBehind = this.behind;
    this.behind = batch[0]?.last_org_id ?? FIRST;
    // None although there was one: another replica has just numbered what this statement saw.
    return batch.length === 0 || this.behind !== wasBehind || hasUsedUpShare(batch) ? 'again' : 'done';
  }

  private read({ position, event: stored, created_at }: PositionedRow): TakenEvent[] {
    const event = this.kinds.read(stored);
    if (event === null) this.warnOfUnread(stored);
    return event === null ? [] : [{ position, event, at: created_at, stored }];
  }

  /** Once for each kind: of an extension that this replica does not have, or of a newer one. */
  private warnOfUnread(stored: unknown): void {
    const kind = isRecord(stored) ? String(stored.kind) : 'unknown';
    if (this.unread.has(kind) || this.unread.size === MOST_UNREAD) return;
    this.unread.add(kind);
    this.logger.warn(
      `Events of the kind ${kind} are numbered here, and handed to nobody: nothing here can read them.`,
    );
  }

  private async deleteOld(): Promise<void> {
    let deleted: number;
    do {
      deleted = (await DELETE_OLD_EVENTS.rows(this.database, [KEPT, DELETED_AT_ONCE])).length;
    } while (deleted === DELETED_AT_ONCE);
  }
}

/** Whether an organization may have more than there was room for in a batch. */
function hasUsedUpShare(rows: readonly BatchRow[]): boolean {
  const counts = new Map<string, number>();
  for (const { org_id } of rows) counts.set(org_id, (counts.get(org_id) ?? 0) + 1);
  return rows.some(({ org_id, share }) => counts.get(org_id) === share);
}
