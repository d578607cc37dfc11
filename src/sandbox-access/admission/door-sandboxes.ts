import { Injectable } from '@nestjs/common';
import type { AgentServer } from '../../agent-server';
import { Clock, TtlCache } from '../../common';
import { OnDomainEvent } from '../../domain-events';
import {
  SandboxFailedError,
  SandboxNotFoundError,
  SandboxNotRunningError,
  SandboxReader,
  type SandboxView,
} from '../../sandboxes';

/** Long enough to save a query per request; {@link AdmissionMemory} says how the caches add up. */
const TTL_MS = 300;
const MAX_ENTRIES = 10_000;

/** A sandbox whose agent server can be reached. */
export type RunningSandbox = SandboxView & { readonly agentServer: AgentServer };

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

/**
 * Asserts that a sandbox can be reached.
 * @throws SandboxNotFoundError for one that is gone, SandboxFailedError, SandboxNotRunningError
 */
export function running(sandbox: SandboxView | null): RunningSandbox {
  if (sandbox === null || sandbox.status === 'MISSING') throw new SandboxNotFoundError();
  if (sandbox.stopping) throw new SandboxNotRunningError('STOPPING', sandbox.id);
  if (sandbox.status === 'ERROR') throw new SandboxFailedError();
  const { agentServer } = sandbox;
  if (sandbox.status !== 'RUNNING' || agentServer === null)
    throw new SandboxNotRunningError(sandbox.status, sandbox.id);
  return { ...sandbox, agentServer };
}
