import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, In, Repository, type FindOptionsWhere, IsNull, MoreThan } from 'typeorm';
import { SessionVerifier, type VerifiedKey } from '../../../kernel/auth';
import { Clock, digestOf } from '../../../kernel/common';
import { KeyVerifier } from '../keys/key-verifier';
import { BrowserSession } from './browser-session.entity';
import { selectSessionUser, type SessionUserRow } from './session-user.read-model';
import { randomBytes } from 'node:crypto';

/** A session ends when it has been unused for this long (docs/web-interface.md#sessions). */
const IDLE_MS = 30 * 24 * 3_600_000;

/** How far `last_used_at` may lag behind. */
const USE_WRITTEN_EVERY_MS = 3_600_000;

/** Sessions per key; beyond that, the least recently used end. */
export const MAX_SESSIONS_OF_KEY = 100;

const TOKEN_BYTES = 32;
const FORM = /^[\w-]{43}$/;

/** A new random token: 256 bits. */
export function newSessionToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Whether a text is in the form of a token: others are not looked up. */
function isWellFormedToken(token: string): boolean {
  return FORM.test(token);
}

/** Sessions last used before this time have ended. */
export function oldestUse(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}

/** Filters sessions for those that are neither idle for too long nor past the expiry of the credential that started them. */
export function lasting(
  now: Date,
  which: FindOptionsWhere<BrowserSession>,
): FindOptionsWhere<BrowserSession>[] {
  return [IsNull(), MoreThan(now)].map((credentialExpiresAt) => ({
    ...which,
    credentialExpiresAt,
    lastUsedAt: MoreThan(oldestUse(now)),
  }));
}

/** When a session ends that is not used any more. */
export function endOf({
  lastUsedAt,
  credentialExpiresAt,
}: Pick<BrowserSession, 'lastUsedAt' | 'credentialExpiresAt'>): Date {
  const idle = new Date(lastUsedAt.getTime() + IDLE_MS);
  return credentialExpiresAt !== null && credentialExpiresAt < idle ? credentialExpiresAt : idle;
}

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
    return { ...user, sessionId: row.session_id, signedInAt: row.signed_in_at };
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
