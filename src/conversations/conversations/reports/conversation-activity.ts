import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { outsideOfSpans } from '../../../kernel/telemetry';
import { TOUCH_CONVERSATIONS } from './conversation-reports.query';

/** What had new events within this time is written together, and no later than it. */
const WRITE_DELAY_MS = 250;
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
    this.timer ??= setTimeout(() => void this.flush(), this.isStopped ? 0 : WRITE_DELAY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    await this.flush();
  }

  /** Writes what is waiting. A failure leaves times as they were until there are events again, so it is only logged. */
  private flush(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const ids = [...this.pending];
    this.pending.clear();
    return (this.writing = this.writing.then(() => outsideOfSpans(() => this.write(ids))));
  }

  private async write(ids: readonly string[]): Promise<void> {
    try {
      for (let from = 0; from < ids.length; from += MOST_AT_ONCE)
        await TOUCH_CONVERSATIONS.rows(this.database, [ids.slice(from, from + MOST_AT_ONCE)]);
    } catch (error) {
      this.logger.warn({ err: error }, `updated_at of ${ids.length} conversations could not be moved`);
    }
  }
}
