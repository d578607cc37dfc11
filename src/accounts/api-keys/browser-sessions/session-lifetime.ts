import { randomBytes } from 'node:crypto';
import { type FindOptionsWhere, IsNull, MoreThan } from 'typeorm';
import type { BrowserSession } from './browser-session.entity';

/** A session ends when it has been unused for this long (docs/web-interface.md#sessions). */
const IDLE_MS = 30 * 24 * 3_600_000;

/** How far `last_used_at` may lag behind. */
export const USE_WRITTEN_EVERY_MS = 3_600_000;

/** Sessions per key; beyond that, the least recently used end. */
export const MAX_SESSIONS_OF_KEY = 100;

const TOKEN_BYTES = 32;
const FORM = /^[\w-]{43}$/;

/** A new random token: 256 bits. */
export function newSessionToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Whether a text is in the form of a token: others are not looked up. */
export function isWellFormedToken(token: string): boolean {
  return FORM.test(token);
}

/** Sessions last used before this time have ended. */
export function oldestUse(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}

/** Those of some sessions that have not ended by themselves: neither idle for too long, nor past what they were started with. */
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
