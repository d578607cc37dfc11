import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AuthCaches, type KeyHolder, type RequestIdentity } from '../../auth';
import { Clock } from '../../common';
import type { Admission } from './admission';
import { DoorSandboxes } from './door-sandboxes';
import type { DoorTarget } from './door-target';

/**
 * With what keys, roles and sandboxes are cached for (300 ms) and a round of the check of open connections (500 ms) still
 * within the second after which a change counts.
 */
const TTL_MS = 90;
const MAX_ENTRIES = 1_000;

/** Headers that decide who passes. */
const DECISIVE = ['x-access-token', 'authorization', 'x-session-api-key', 'x-org-id'] as const;

/** Somebody who passed, and to what. */
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
 * Who passed a moment ago. What a burst of requests has to show is the same each time, and looking it up anew takes
 * longer than passing a request on.
 */
@Injectable()
export class AdmissionMemory {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly caches: AuthCaches,
    private readonly sandboxes: DoorSandboxes,
    private readonly clock: Clock,
  ) {}

  /** Undefined where nobody passed with the same headers to the same sandbox, or something has changed since. */
  find(headers: IncomingHttpHeaders, target: DoorTarget): Passed | undefined {
    const entry = target.isPassable ? this.entries.get(nameOf(headers, target)) : undefined;
    const isFresh = entry?.generation === this.generation && entry.until > this.clock.monotonicMs();
    return isFresh ? entry : undefined;
  }

  /** What is looked up now, to be remembered unless the path mattered, or looking it up took too long. */
  begin(headers: IncomingHttpHeaders, target: DoorTarget): (passed: Passed) => void {
    const until = this.clock.monotonicMs() + TTL_MS;
    const { generation } = this;
    return (passed) => {
      if (passed.admission.sandbox.sharesServer) return;
      if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
      this.entries.set(nameOf(headers, target), { ...passed, until, generation });
    };
  }

  /** Changes with whatever this replica does to keys, members and sandboxes. */
  private get generation(): number {
    return this.caches.generation + this.sandboxes.generation;
  }
}

function nameOf(headers: IncomingHttpHeaders, { sandboxId }: DoorTarget): string {
  let name = sandboxId;
  for (const header of DECISIVE) name += `\0${String(headers[header] ?? '')}`;
  return name;
}
