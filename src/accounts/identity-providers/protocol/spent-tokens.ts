import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { Clock, digestOf } from '../../../kernel/common';
import { JobHandlers } from '../../../kernel/jobs';
import { SpentToken } from '../record/spent-token.entity';
import { insertSpentToken } from './spent-tokens.query';

const CLEAN_UP_SECONDS = 3_600;

/** What counts once, on all replicas together. */
@Injectable()
export class SpentTokens {
  constructor(
    @InjectRepository(SpentToken) private readonly tokens: Repository<SpentToken>,
    private readonly clock: Clock,
    handlers: JobHandlers,
  ) {
    handlers.every('spent-token-clean-up', CLEAN_UP_SECONDS, async () => {
      await this.tokens.delete({ expiresAt: LessThan(this.clock.now()) });
    });
  }

  /** Whether something was used before. */
  isUsed(token: string): Promise<boolean> {
    return this.tokens.existsBy({ digest: digestOf(token) });
  }

  /**
   * Uses something up.
   * @param expiresAt when it would be refused anyway
   * @returns false where it was used before
   */
  use(token: string, expiresAt: Date): Promise<boolean> {
    return insertSpentToken(this.tokens.manager, digestOf(token), expiresAt);
  }
}
