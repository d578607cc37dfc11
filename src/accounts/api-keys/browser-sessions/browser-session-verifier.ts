import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, In, Repository } from 'typeorm';
import { SessionVerifier, type VerifiedKey } from '../../../kernel/auth';
import { Clock, digestOf } from '../../../kernel/common';
import { KeyVerifier } from '../keys/key-verifier';
import { BrowserSession } from './browser-session.entity';
import { isWellFormedToken, lasting, oldestUse, USE_WRITTEN_EVERY_MS } from './session-lifetime';
import { selectSessionUser, type SessionUserRow } from './session-user.read-model';

/** Finds the user of a browser session, which is valid while its key is and until it has been idle too long. */
@Injectable()
export class BrowserSessionVerifier extends SessionVerifier {
  private readonly logger = new Logger(BrowserSessionVerifier.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @InjectRepository(BrowserSession) private readonly sessions: Repository<BrowserSession>,
    private readonly keys: KeyVerifier,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async verify(token: string): Promise<VerifiedKey | null> {
    if (!isWellFormedToken(token)) return null;
    const row = await selectSessionUser(this.database, digestOf(token), oldestUse(this.clock.now()));
    const user = row === null ? null : this.keys.userOf(row);
    if (row === null || user === null) return null;
    await this.recordUse(row);
    return { ...user, sessionId: row.session_id, signedInAt: row.created_at };
  }

  override async lasting(sessionIds: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await this.sessions.find({
      select: { id: true },
      where: lasting(this.clock.now(), { id: In(sessionIds) }),
    });
    return new Set(rows.map(({ id }) => id));
  }

  /** Failing to record the use does not fail the request. */
  private async recordUse({ session_id: id, last_used_at: last }: SessionUserRow): Promise<void> {
    const now = this.clock.now();
    if (now.getTime() - last.getTime() < USE_WRITTEN_EVERY_MS) return;
    try {
      await this.sessions.update({ id }, { lastUsedAt: now });
    } catch (error) {
      this.logger.warn({ err: error }, 'The last use of a session could not be written');
    }
  }
}
