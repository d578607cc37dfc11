import { Inject, Injectable } from '@nestjs/common';
import { AgentServerClient, AgentServerError, type SendOutcome } from '../../agent-server';
import { Clock } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import { messageJson } from '../../conversations';
import { SandboxLifecycle } from '../../sandboxes';
import {
  DeliveryRepository,
  type QueueHead,
  type QueueSnapshot,
  type DeliveryPause,
} from './delivery.repository';
import { DeliveryFaultPoints } from './delivery-fault-points';
import { DeliveryTargets, type Target } from './delivery-targets';
import { DeliveryVerifier } from './delivery-verifier';
import type { QueueLease } from '../leases/queue-lease';

/** With the 500 among these the agent server says that it stored nothing, and never will. */
const REFUSED_FOR_GOOD = new Set([400, 413, 422, 500]);

/** Why a run stops: nothing is left and its claim has ended, or it pauses. */
export type RunEnd = 'done' | 'until woken' | DeliveryPause;

/** What follows a step: another look at the queue, or the end of the run. */
type Next = RunEnd | 'look';

/**
 * Delivers what a queue holds, one message at a time and in order (docs/contract.md#delivery). Right before
 * the first byte of each message is written, the claim on the queue is checked by the monotonic clock, and
 * what is on its way when the claim lapses is cut off. A process that is stopped until then can do neither:
 * one stopped between that check and the write writes late, and one stopped while it waits for the answer
 * keeps its connection. That is the window that remains.
 */
@Injectable()
export class DeliveryRun {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly rows: DeliveryRepository,
    private readonly targets: DeliveryTargets,
    private readonly doubt: DeliveryVerifier,
    private readonly lifecycle: SandboxLifecycle,
    private readonly agentServers: AgentServerClient,
    private readonly clock: Clock,
    private readonly steps: DeliveryFaultPoints,
  ) {}

  /**
   * Delivers until nothing is left, or nothing can be delivered for now.
   * @param signal no further message is begun once it is aborted
   * @throws QueueLeaseLostError
   */
  async drain(claim: QueueLease, signal: AbortSignal): Promise<RunEnd> {
    for (;;) {
      signal.throwIfAborted();
      claim.assertHeld();
      const look = await this.rows.readHead(claim);
      const next =
        look.message === null
          ? await this.ended(claim, look)
          : await this.deliver(claim, look, look.message, signal);
      if (next !== 'look') return next;
    }
  }

  private async ended(claim: QueueLease, { lastRank }: QueueSnapshot): Promise<Next> {
    return (await this.rows.release(claim, lastRank)) ? 'done' : 'look';
  }

  private async deliver(
    claim: QueueLease,
    look: QueueSnapshot,
    message: QueueHead,
    signal: AbortSignal,
  ): Promise<Next> {
    const found = await this.targets.find(claim, look);
    if (found.kind === 'wait') return { ms: found.ms, settling: look.isInDoubt };
    if (found.kind === 'none') return 'until woken';
    if (found.kind === 'closed') {
      await this.rows.failAll(claim, found.reason);
      return 'look';
    }
    return look.isInDoubt
      ? this.settle(claim, found.target, message, signal)
      : this.send(claim, found.target, message, signal);
  }

  /** Sends a message, and in a row with it what follows, as long as the target is known. */
  private async send(
    claim: QueueLease,
    target: Target,
    first: QueueHead,
    signal: AbortSignal,
  ): Promise<Next> {
    let mark: string | null;
    try {
      mark = await this.markOf(target);
    } catch (error) {
      return this.notReached(claim, first, error);
    }
    if (!(await this.rows.markSending(claim, first, mark))) return 'look';
    for (let message = first; ;) {
      await this.steps.reached('marked', claim.queueId);
      const outcome = await this.write(claim, target, message);
      if (outcome.kind !== 'delivered') return this.notDelivered(claim, message, outcome);
      const goesOn = !signal.aborted && claim.isHeld && this.clock.monotonicMs() < target.knownUntil;
      const after = await this.rows.recordDelivery(claim, message.id, goesOn ? mark : undefined);
      await this.steps.reached('noted', claim.queueId);
      if (after.kind !== 'next') return after.kind;
      message = after.message;
    }
  }

  private async markOf({ server, conversationId }: Target): Promise<string | null> {
    const last = await this.agentServers.events.last(server, conversationId);
    return last?.id ?? null;
  }

  private async write(claim: QueueLease, target: Target, message: QueueHead): Promise<SendOutcome> {
    const outcome = await this.agentServers.sendMessage(
      target.server,
      target.conversationId,
      messageJson(message.role, message.content, message.run),
      this.settings.SEND_TIMEOUT_SECONDS * 1000,
      {
        signal: claim.signal,
        beforeWrite: () => {
          claim.assertHeld();
          // What is reached comes after the bytes that are written in this turn of the event loop.
          setImmediate(() => void this.steps.reached('written', claim.queueId));
        },
      },
    );
    await this.steps.reached('sent', claim.queueId);
    this.lifecycle.touch(target.sandboxId);
    // Whoever has the queue next settles what was cut off.
    if (outcome.kind !== 'delivered') claim.assertHeld();
    return outcome;
  }

  private async notDelivered(
    claim: QueueLease,
    message: QueueHead,
    outcome: Exclude<SendOutcome, { kind: 'delivered' }>,
  ): Promise<Next> {
    if (outcome.kind === 'unknown') {
      await this.rows.recordReason(claim, message.id, outcome.reason);
      return this.settlingTime();
    }
    if (outcome.kind === 'refused' && REFUSED_FOR_GOOD.has(outcome.status)) {
      await this.rows.recordFailure(claim, message.id, outcome.reason);
      return 'look';
    }
    await this.rows.requeue(claim, message.id, outcome.reason);
    return { ms: 'back-off', settling: false };
  }

  /** Finds out what became of a message in doubt, whose settling time has passed. */
  private async settle(
    claim: QueueLease,
    target: Target,
    message: QueueHead,
    signal: AbortSignal,
  ): Promise<Next> {
    try {
      const fate = await this.doubt.fateOf(claim, target, message, signal);
      if (fate === 'arrived') {
        const after = await this.rows.recordDelivery(claim, message.id, undefined);
        return after.kind === 'done' ? 'done' : 'look';
      }
      if (fate === 'open') return this.settlingTime();
    } catch (error) {
      if (!(error instanceof AgentServerError)) throw error;
      await this.rows.recordReason(claim, message.id, error.message);
      return { ms: 'back-off', settling: true };
    }
    if (target.closedReason === null)
      await this.rows.requeue(claim, message.id, 'The message had not arrived; it is sent again.');
    else await this.rows.recordFailure(claim, message.id, target.closedReason);
    return 'look';
  }

  private async notReached(claim: QueueLease, message: QueueHead, error: unknown): Promise<RunEnd> {
    if (!(error instanceof AgentServerError)) throw error;
    await this.rows.recordReason(claim, message.id, error.message);
    return { ms: 'back-off', settling: false };
  }

  private settlingTime(): DeliveryPause {
    return { ms: this.settings.DELIVERY_SETTLE_SECONDS * 1000, settling: true };
  }
}
