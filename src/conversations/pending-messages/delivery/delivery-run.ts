import { Inject, Injectable } from '@nestjs/common';
import { AgentServerError } from '../../../sandboxes/agent-server';
import { Clock } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import type { MessageOutcome } from '../../conversations';
import {
  DeliveryRepository,
  type QueueHead,
  type QueueSnapshot,
  type DeliveryPause,
} from './delivery.repository';
import { FaultPoints } from '../../../kernel/leases';
import { DeliveryTargets, type Target, type TargetSearch } from './delivery-targets';
import { MessageSender } from './message-sender';
import { DeliveryVerifier } from './delivery-verifier';
import type { QueueLease } from '../leases/queue-leases';

/** With the 500 among these the agent server says that it stored nothing, and never will. */
const REFUSED_FOR_GOOD = new Set([400, 413, 422, 500]);

/** Why a run stops: the queue is empty and its lease has ended, or it pauses. */
type RunEnd = 'done' | 'until woken' | DeliveryPause;

/** What follows a step: reading the queue again, or the end of the run. */
type Next = RunEnd | 'read again';

/**
 * Delivers the messages of a queue, one message at a time and in order (docs/contract.md#delivery). Right before
 * the first byte of each message is written, the lease on the queue is checked by the monotonic clock, and
 * what is on its way when the lease lapses is cut off. A process that is stopped until then can do neither:
 * one stopped between that check and the write writes late, and one stopped while it waits for the response
 * keeps its connection. That is the window that remains.
 */
@Injectable()
export class DeliveryRun {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly repository: DeliveryRepository,
    private readonly targets: DeliveryTargets,
    private readonly verifier: DeliveryVerifier,
    private readonly sender: MessageSender,
    private readonly clock: Clock,
    private readonly faultPoints: FaultPoints,
  ) {}

  /**
   * Delivers until nothing is left, or nothing can be delivered for now.
   * @param signal no further message is begun once it is aborted
   * @throws LeaseLostError
   */
  async drain(lease: QueueLease, signal: AbortSignal): Promise<RunEnd> {
    for (;;) {
      signal.throwIfAborted();
      lease.assertHeld();
      const head = await this.repository.readHead(lease);
      const next =
        head.message === null
          ? await this.ended(lease, head)
          : await this.deliver(lease, head, head.message, signal);
      if (next !== 'read again') return next;
    }
  }

  private async ended(lease: QueueLease, { lastRank }: QueueSnapshot): Promise<Next> {
    return (await this.repository.release(lease, lastRank)) ? 'done' : 'read again';
  }

  private async deliver(
    lease: QueueLease,
    head: QueueSnapshot,
    message: QueueHead,
    signal: AbortSignal,
  ): Promise<Next> {
    let found: TargetSearch;
    try {
      found = await this.targets.find(lease, head, signal);
    } catch (error) {
      return this.handleUnreachable(lease, message, error);
    }
    if (found.kind === 'wait') return this.wait(lease, head, message, found);
    if (found.kind === 'none') return 'until woken';
    if (found.kind === 'closed') {
      await this.repository.failAll(lease, found.reason);
      return 'read again';
    }
    return head.isOutcomeUnknown
      ? this.settle(lease, found.target, message, signal)
      : this.send(lease, found.target, message, signal);
  }

  private async wait(
    lease: QueueLease,
    { isOutcomeUnknown: settling }: QueueSnapshot,
    { id }: QueueHead,
    { ms, reason }: Extract<TargetSearch, { kind: 'wait' }>,
  ): Promise<DeliveryPause> {
    if (reason !== undefined) await this.repository.recordReason(lease, id, reason);
    return { ms, settling };
  }

  /** Sends a message and then the ones behind it while the target is known to run. */
  private async send(
    lease: QueueLease,
    target: Target,
    first: QueueHead,
    signal: AbortSignal,
  ): Promise<Next> {
    let mark: string | null;
    try {
      mark = await this.sender.markOf(target);
    } catch (error) {
      return this.handleUnreachable(lease, first, error);
    }
    if (!(await this.repository.markSending(lease, first, mark))) return 'read again';
    for (let message = first; ;) {
      await this.faultPoints.reached('marked', lease.queueId);
      const outcome = await this.sender.send(lease, target, message);
      if (outcome.kind !== 'delivered') return this.handleRefusal(lease, message, outcome);
      const continues = !signal.aborted && lease.isHeld && this.clock.monotonicMs() < target.validUntil;
      const after = await this.repository.recordDelivery(lease, message, continues ? mark : undefined);
      await this.faultPoints.reached('recorded', lease.queueId);
      if (after.kind !== 'next') return after.kind;
      message = after.message;
    }
  }

  private async handleRefusal(
    lease: QueueLease,
    message: QueueHead,
    outcome: Exclude<MessageOutcome, { kind: 'delivered' }>,
  ): Promise<Next> {
    if (outcome.kind === 'unknown') {
      await this.repository.recordReason(lease, message.id, outcome.reason);
      return this.settlingTime();
    }
    if (outcome.kind === 'refused' && REFUSED_FOR_GOOD.has(outcome.status)) {
      await this.repository.recordFailure(lease, message.id, outcome.reason);
      return 'read again';
    }
    const isTriedAgain = await this.repository.requeue(lease, message.id, outcome.reason);
    return isTriedAgain ? { ms: 'back-off', settling: false } : 'read again';
  }

  /** Verifies a message whose outcome is unknown, once its settling time has passed. */
  private async settle(
    lease: QueueLease,
    target: Target,
    message: QueueHead,
    signal: AbortSignal,
  ): Promise<Next> {
    try {
      const verdict = await this.verifier.verify(lease, target, message, signal);
      if (verdict === 'arrived') {
        const after = await this.repository.recordDelivery(lease, message, undefined);
        return after.kind === 'done' ? 'done' : 'read again';
      }
      if (verdict === 'inconclusive') return this.settlingTime();
    } catch (error) {
      if (!(error instanceof AgentServerError)) throw error;
      await this.repository.recordReason(lease, message.id, error.message);
      return { ms: 'back-off', settling: true };
    }
    if (target.closedReason === null)
      await this.repository.requeue(lease, message.id, 'The message had not arrived; it is sent again.');
    else await this.repository.recordFailure(lease, message.id, target.closedReason);
    return 'read again';
  }

  private async handleUnreachable(lease: QueueLease, message: QueueHead, error: unknown): Promise<RunEnd> {
    if (!(error instanceof AgentServerError)) throw error;
    await this.repository.recordReason(lease, message.id, error.message);
    return { ms: 'back-off', settling: false };
  }

  private settlingTime(): DeliveryPause {
    return { ms: this.settings.DELIVERY_SETTLE_SECONDS * 1000, settling: true };
  }
}
