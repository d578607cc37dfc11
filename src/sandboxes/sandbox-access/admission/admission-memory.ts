import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AuthCaches, CredentialVerifiers, type KeyHolder, type RequestIdentity } from '../../../kernel/auth';
import { Clock } from '../../../kernel/common';
import { DoorSandboxes } from './door-sandboxes';
import type { DoorTarget } from './door-target';
import type { RunningSandbox } from '../../sandboxes';

/**
 * A change counts within a second: this adds to the cache of keys, roles and sandboxes (300 ms) and to the check of
 * open connections (500 ms).
 */
const TTL_MS = 90;
const MAX_ENTRIES = 1_000;

/** Headers that decide whether a request is admitted, unless an extension decides by others. */
const DECISIVE = ['x-access-token', 'authorization', 'x-session-api-key', 'x-org-id'] as const;

/** Who was admitted, and to which sandbox. */
export interface Passed {
  readonly holder: KeyHolder;
  readonly identity: RequestIdentity;
  readonly admission: Admission;
}

interface Entry extends Passed {
  readonly until: number;
  readonly generation: number;
}

/**
 * Remembers recent admissions. The requests of a burst all carry the same credentials, and checking them each time
 * takes longer than forwarding the request.
 */
@Injectable()
export class AdmissionMemory {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly caches: AuthCaches,
    private readonly sandboxes: DoorSandboxes,
    private readonly verifiers: CredentialVerifiers,
    private readonly clock: Clock,
  ) {}

  /** Undefined unless the same headers were admitted to the same sandbox and nothing has changed since. */
  find(headers: IncomingHttpHeaders, target: DoorTarget): Passed | undefined {
    const entry = target.isPassable ? this.entries.get(this.nameOf(headers, target)) : undefined;
    const isFresh = entry?.generation === this.generation && entry.until > this.clock.monotonicMs();
    return isFresh ? entry : undefined;
  }

  /**
   * Starts an admission check; the returned function remembers its result, unless it depended on the path or on who is
   * signed in in the browser or from which address it came, or took too long.
   */
  begin(headers: IncomingHttpHeaders, target: DoorTarget): (passed: Passed) => void {
    const until = this.clock.monotonicMs() + TTL_MS;
    const { generation } = this;
    return (passed) => {
      const { sandbox, sessionId } = passed.admission;
      const { holder } = passed;
      const isOfAddress = 'user' in holder && holder.user.addresses !== null;
      if (sandbox.sharesServer || sessionId !== null || isOfAddress) return;
      if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
      this.entries.set(this.nameOf(headers, target), { ...passed, until, generation });
    };
  }

  /** Changes with every change that this replica makes to keys, members or sandboxes. */
  private get generation(): number {
    return this.caches.generation + this.sandboxes.generation;
  }

  /** Verifiers of extensions may decide by any header. */
  private nameOf(headers: IncomingHttpHeaders, { sandboxId }: DoorTarget): string {
    if (!this.verifiers.isEmpty) return `${sandboxId}\0${JSON.stringify(headers)}`;
    let name = sandboxId;
    for (const header of DECISIVE) name += `\0${String(headers[header] ?? '')}`;
    return name;
  }
}

/** The admission of a caller to a sandbox. */
export interface Admission {
  readonly sandbox: RunningSandbox;
  /** The id of the user's API key; null for the sandbox's own key. */
  readonly keyId: number | null;
  /** The id of the session of the browser that the caller is signed in with; null where the key itself was sent. */
  readonly sessionId: number | null;
  /** When the credential of the caller expires; null for never. */
  readonly keyExpiresAt: Date | null;
}
