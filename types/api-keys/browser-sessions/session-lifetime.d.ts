/** A session ends when it has been unused for this long (docs/web-interface.md#sessions). */
export declare const IDLE_MS: number;
/** How far `last_used_at` may lag behind. */
export declare const USE_WRITTEN_EVERY_MS = 3600000;
/** Sessions per key; beyond that, the least recently used end. */
export declare const MAX_SESSIONS_OF_KEY = 100;
/** A new random token: 256 bits. */
export declare function newSessionToken(): string;
/** Whether a text is in the form of a token: others are not looked up. */
export declare function isWellFormedToken(token: string): boolean;
/** Sessions last used before this time have ended. */
export declare function oldestUse(now: Date): Date;
