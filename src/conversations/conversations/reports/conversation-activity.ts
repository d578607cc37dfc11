import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { settledWithin } from '../../../kernel/common';
import { outsideOfSpans } from '../../../kernel/telemetry';
import { TOUCH_CONVERSATIONS } from './conversation-reports.query';

/** What had new events within this time is written together, and no later than it. */
const WRITE_DELAY_MS = 250;
/** After a failure, and for rows that others have locked. */
const AGAIN_MS = 1_000;
/** A stop waits no longer for the last times. */
const STOP_MS = 1_000;
/** Of one statement, which locks them until its end. */
const MOST_AT_ONCE = 200;

/**
 * Moves `updated_at` of conversations that have new events, a moment after these are stored: the row of a conversation
 * and its ten entries of indexes are rewritten once for all that an agent reports meanwhile
 * (docs/decisions/0049-events-taken-by-one-statement.md).
 */
@Injectable()
export class ConversationActivity implements OnModuleDestroy {
  private readonly logger = new Logger(ConversationActivity.name);
  private readonly pending = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** Events of a conversation were stored. */
  touch(conversationId: string): void {
    this.pending.add(conversationId);
    this.schedule(this.isStopped ? 0 : WRITE_DELAY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    await settledWithin(this.flush(), STOP_MS);
  }

  private schedule(delayMs: number): void {
    this.timer ??= setTimeout(() => void this.flush(), delayMs);
  }

  /** Writes what is waiting, behind what is being written. */
  private flush(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    return (this.writing = this.writing.then(() => outsideOfSpans(() => this.write())));
  }

  /** What others have locked, and what could not be written, is tried again until the service stops. */
  private async write(): Promise<void> {
    const ids = [...this.pending];
    this.pending.clear();
    let written = 0;
    try {
      for (; written < ids.length; written += MOST_AT_ONCE) {
        const rows = await TOUCH_CONVERSATIONS.rows(this.database, [
          ids.slice(written, written + MOST_AT_ONCE),
        ]);
        for (const { id } of rows) this.pending.add(id);
      }
    } catch (error) {
      const left = ids.slice(written);
      for (const id of left) this.pending.add(id);
      this.logger.warn({ err: error }, `updated_at of ${left.length} conversations could not be moved`);
    }
    if (this.pending.size > 0 && !this.isStopped) this.schedule(AGAIN_MS);
  }
}
