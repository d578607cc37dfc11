import { Injectable } from '@nestjs/common';
import { Clock, TtlCache } from '../../common';
import type { Standing } from '../identity/permissions';
import type { VerifiedKey } from '../identity/ports';
import type { SandboxCaller } from '../identity/principal';

/**
 * With the memory of the door (90 ms) and a round of its check of open connections (500 ms) well below a second, on
 * every replica (docs/contract.md#credentials).
 */
const TTL_MS = 300;
const MAX_ENTRIES = 10_000;

/**
 * Short-lived caches of keys and memberships. Code that changes a key, a user or a member clears them, so that the next request on this replica sees the change; others see it within a second.
 */
@Injectable()
export class AuthCaches {
  readonly users: TtlCache<VerifiedKey | null>;
  readonly sessions: TtlCache<VerifiedKey | null>;
  readonly sandboxes: TtlCache<SandboxCaller | null>;
  readonly standings: TtlCache<Standing | null>;

  private cleared = 0;

  constructor(clock: Clock) {
    this.users = new TtlCache(clock, TTL_MS, MAX_ENTRIES);
    this.sessions = new TtlCache(clock, TTL_MS, MAX_ENTRIES);
    this.sandboxes = new TtlCache(clock, TTL_MS, MAX_ENTRIES);
    this.standings = new TtlCache(clock, TTL_MS, MAX_ENTRIES);
  }

  /** Changes whenever they are cleared. */
  get generation(): number {
    return this.cleared;
  }

  clear(): void {
    this.cleared++;
    this.users.clear();
    this.sessions.clear();
    this.sandboxes.clear();
    this.standings.clear();
  }
}
