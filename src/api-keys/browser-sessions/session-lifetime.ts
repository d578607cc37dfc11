import { randomBytes } from 'node:crypto';

/** A session that is not used for this long has ended (docs/web-interface.md#sessions). */
export const IDLE_MS = 30 * 24 * 3_600_000;

/** The last use is written when it is known less exactly than this. */
export const USE_WRITTEN_EVERY_MS = 3_600_000;

/** The most sessions of one key; beyond, those used least recently end. */
export const MAX_SESSIONS_OF_KEY = 100;

const TOKEN_BYTES = 32;
const FORM = /^[\w-]{43}$/;

/** A new random token: 256 bits. */
export function newSessionToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Whether a text has the form of a token: only such a one is looked up. */
export function isWellFormedToken(token: string): boolean {
  return FORM.test(token);
}

/** Sessions last used before this time have ended. */
export function oldestUse(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}
