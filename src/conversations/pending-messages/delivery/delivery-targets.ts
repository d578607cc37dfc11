import { Inject, Injectable } from '@nestjs/common';
import { BudgetExhaustedError, exhaustedOf } from '../../../agents/budgets';
import type { AgentServer } from '../../../sandboxes/agent-server';
import { Clock } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { SandboxReader } from '../../../sandboxes/sandboxes';
import { AgentWork } from '../../conversations';
import type { QueueSnapshot } from './delivery.repository';
import type { QueueLease } from '../leases/queue-leases';

/** How long a sandbox that was found running is taken to run, without asking again. */
const KNOWN_FOR_MS = 1_000;

/**
 * How long a message that waits for the end of a run waits before the agent server is asked again. The end of a run
 * wakes the queue; this is for a webhook that never came.
 */
const RUN_LOOK_MS = 10_000;

/**
 * How long a queue waits at most for a budget before it is looked at again. A budget that begins anew, is raised or is deleted
 * is noticed at once; this is for one that has room for another reason, such as other tags of the conversation.
 */
const BUDGET_LOOK_MS = 3_600_000;

/** The target of the messages of a queue. */
export interface Target {
  readonly server: AgentServer;
  readonly conversationId: string;
  readonly sandboxId: string;
  /** By the monotonic clock. */
  readonly validUntil: number;
  /** The queue is closed: only a message whose outcome is unknown is still verified. */
  readonly closedReason: string | null;
}

/** What keeps a queue from being delivered: a time, a budget, an agent at work, a conversation that does not run, or nothing. */
export type TargetSearch =
  | { readonly kind: 'found'; readonly target: Target }
  | { readonly kind: 'wait'; readonly ms: number; readonly reason?: string }
  | { readonly kind: 'closed'; readonly reason: string }
  | { readonly kind: 'none' };

/** Finds the running agent server behind a queue. */
@Injectable()
export class DeliveryTargets {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly sandboxes: SandboxReader,
    private readonly work: AgentWork,
    private readonly clock: Clock,
  ) {}

  /** @throws AgentServerError when it cannot be found out whether the agent runs, and the message waits for that */
  async find(lease: QueueLease, head: QueueSnapshot, signal: AbortSignal): Promise<TargetSearch> {
    const { closedReason, conversationId, sandboxId, isOutcomeUnknown } = head;
    if (closedReason !== null && !isOutcomeUnknown) return { kind: 'closed', reason: closedReason };
    const wait = this.waitOf(lease, head);
    if (wait !== null) return wait;
    const server = sandboxId === null ? null : await this.serverOf(sandboxId);
    if (server !== null && conversationId !== null && sandboxId !== null) {
      const waitsForRun = head.message?.mode === 'after_run' && !isOutcomeUnknown;
      if (waitsForRun && (await this.work.isUnderWay({ server, conversationId }, { signal })))
        return { kind: 'wait', ms: RUN_LOOK_MS };
      const validUntil = this.clock.monotonicMs() + KNOWN_FOR_MS;
      return { kind: 'found', target: { server, conversationId, sandboxId, validUntil, closedReason } };
    }
    return closedReason === null ? { kind: 'none' } : { kind: 'closed', reason: closedReason };
  }

  /** A time that was set, or else a budget without room. */
  private waitOf(lease: QueueLease, head: QueueSnapshot): TargetSearch | null {
    const { conversationId, exhaustedBudget: budget, isOutcomeUnknown } = head;
    const waitMs = head.waitMs ?? (isOutcomeUnknown ? this.settlingMs(lease) : 0);
    if (waitMs > 0) return { kind: 'wait', ms: waitMs };
    // What is on its way may have arrived, whatever the budget; before the start is ready, nothing waits for it.
    if (budget === null || isOutcomeUnknown || conversationId === null) return null;
    const ms = Math.min(budget.resets_in_ms ?? Infinity, BUDGET_LOOK_MS);
    return { kind: 'wait', ms, reason: new BudgetExhaustedError(exhaustedOf(budget)).message };
  }

  /**
   * A message whose outcome a crash left unknown has no time set. Its settling time begins with the end of the lease
   * of the run that died: after that it wrote nothing. It does not begin with the sending, which the run may
   * have survived, waiting for the response.
   */
  private settlingMs({ orphanedMs }: QueueLease): number {
    return this.settings.DELIVERY_SETTLE_SECONDS * 1000 - (orphanedMs ?? 0);
  }

  private async serverOf(sandboxId: string): Promise<AgentServer | null> {
    const sandbox = await this.sandboxes.byId(sandboxId);
    return sandbox?.status === 'RUNNING' ? sandbox.agentServer : null;
  }
}
