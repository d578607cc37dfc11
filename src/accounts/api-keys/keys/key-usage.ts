import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../../kernel/common';
import { writeLastUse } from './key-usage.query';

const WRITE_EVERY_MS = 60_000;
const WRITE_DELAY_MS = 1_000;

/**
 * Writes `last_used_at`, at most once a minute per key, all replicas together, and never on a request's path
 * (docs/contract.md#key-format).
 */
@Injectable()
export class KeyUsage implements OnModuleDestroy {
  private readonly logger = new Logger(KeyUsage.name);
  private readonly written = new Map<number, number>();
  private readonly pending = new Map<number, Date>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Records that a key was used now. */
  note(keyId: number): void {
    const now = this.clock.monotonicMs();
    const last = this.written.get(keyId);
    if (last !== undefined && now - last < WRITE_EVERY_MS) return;
    this.written.set(keyId, now);
    this.pending.set(keyId, this.clock.now());
    this.timer ??= setTimeout(() => void this.flush(), WRITE_DELAY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    await this.flush();
  }

  /** Writes the collected times. A failure loses one time per key, so it is only logged. */
  async flush(): Promise<void> {
    this.timer = null;
    if (this.pending.size === 0) return;
    const lastUses = new Map(this.pending);
    this.pending.clear();
    this.forgetOld();
    try {
      await writeLastUse(this.database, lastUses, WRITE_EVERY_MS);
    } catch (error) {
      this.logger.warn({ err: error }, 'The last use of keys could not be written');
    }
  }

  private forgetOld(): void {
    const now = this.clock.monotonicMs();
    for (const [id, at] of this.written) if (now - at >= WRITE_EVERY_MS) this.written.delete(id);
  }
}
