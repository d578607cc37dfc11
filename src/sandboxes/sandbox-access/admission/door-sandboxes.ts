import { Injectable } from '@nestjs/common';
import { Clock, TtlCache } from '../../../kernel/common';
import { OnDomainEvent } from '../../../kernel/domain-events';
import { SandboxReader, type SandboxView } from '../../sandboxes';

/** Long enough to save a query per request; {@link AdmissionMemory} says how the caches add up. */
const TTL_MS = 300;
const MAX_ENTRIES = 10_000;

/** The sandboxes behind the door, cached briefly. */
@Injectable()
export class DoorSandboxes {
  private readonly views: TtlCache<SandboxView | null>;
  private cleared = 0;

  constructor(
    private readonly sandboxes: SandboxReader,
    clock: Clock,
  ) {
    this.views = new TtlCache(clock, TTL_MS, MAX_ENTRIES);
  }

  /** A sandbox as it was a moment ago; null for an unknown id. */
  recent(id: string): Promise<SandboxView | null> {
    return this.views.get(id, () => this.sandboxes.byId(id));
  }

  /** Changes whenever the cache is cleared. */
  get generation(): number {
    return this.cleared;
  }

  /** A sandbox as it is now. */
  current(id: string): Promise<SandboxView | null> {
    this.clear();
    return this.recent(id);
  }

  /** Clears the cache, so that nothing read before a change is used after it. */
  @OnDomainEvent('sandbox.status_changed')
  forget(): Promise<void> {
    this.clear();
    return Promise.resolve();
  }

  private clear(): void {
    this.cleared++;
    this.views.clear();
  }
}
