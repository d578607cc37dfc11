import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { newId } from '../../../kernel/common';
import { END_PROCESS, SEE_PROCESS } from './model-calls.query';

/** How often a process that makes calls says that it lives. */
const SEEN_EVERY_MS = 10_000;

/** After what time without a word its calls are lost. */
export const UNSEEN_SECONDS = 60;

/** This process, as the ledger knows it: its reservations are its own as long as it says that it lives. */
@Injectable()
export class CallingProcess {
  readonly id = newId();
  private readonly logger = new Logger(CallingProcess.name);
  private seen: Promise<unknown> | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** Before its first reservation. @throws what PostgreSQL says; the next one tries again */
  async begin(): Promise<void> {
    this.seen ??= this.see();
    try {
      await this.seen;
    } catch (error) {
      this.seen = null;
      throw error;
    }
    this.timer ??= setInterval(() => void this.seeAgain(), SEEN_EVERY_MS).unref();
  }

  /** What it has not settled is lost. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    if (this.seen === null) return;
    this.seen = null;
    await END_PROCESS.rows(this.database, [this.id]).catch(() => undefined);
  }

  private see(): Promise<unknown> {
    return SEE_PROCESS.rows(this.database, [this.id]);
  }

  private async seeAgain(): Promise<void> {
    try {
      await this.see();
    } catch (error) {
      this.logger.warn({ err: error }, 'It could not be noted that this process makes calls of models');
    }
  }
}
