import { Inject, Injectable } from '@nestjs/common';
import { AgentServerClient, AgentServerError, type SendOutcome } from '../agent-server';
import { Clock } from '../common';
import { SETTINGS, type Settings } from '../config';
import { messageJson } from '../conversations';
import { SandboxLifecycle } from '../sandboxes';
import { DeliveryRows, type HeadRow, type QueueHead, type Rest } from './delivery-rows';
import { DeliverySteps } from './delivery-steps';
import { DeliveryTargets, type Target } from './delivery-targets';
import { Doubt } from './doubt';
import type { QueueClaim } from './queue-claim';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** With the 500 among these the agent server says that it stored nothing, and never will. */
const REFUSED_FOR_GOOD = new Set([400, 413, 422, 500]);

/** Why a run stops: nothing is left and its claim has ended, or it pauses. */
export type RunEnd = 'done' | 'until woken' | Rest;

/** What follows a step: the next message, or the end of the run. */
type Next = { readonly head: QueueHead } | { readonly end: RunEnd };

/**
 * Delivers what a queue holds, one message at a time and in order (decisions 11). Right before the first
 * byte of each message is written, the claim on the queue is checked by the monotonic clock; a process that is
 * stopped between that check and the write, for longer than its lease, writes late: that is the window that
 * remains.
 */
@Injectable()
export class DeliveryRun {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly rows: DeliveryRows,
    private readonly targets: DeliveryTargets,
    private readonly doubt: Doubt,
    private readonly lifecycle: SandboxLifecycle,
    private readonly agentServers: AgentServerClient,
    private readonly clock: Clock,
    private readonly steps: DeliverySteps,
  ) {}

  /**
   * Delivers until nothing is left, or nothing can be delivered for now.
   * @param signal no further message is begun once it is aborted
   * @throws ClaimLostError
   */
  async drain(claim: QueueClaim, signal: AbortSignal): Promise<RunEnd> {
    let target: Target | null = null;
    /** The last event before the first of the messages that this run sends in a row. */
    let mark: string | null | undefined;
    let head = await this.rows.head(claim);
    for (;;) {
      signal.throwIfAborted();
      const { message } = head;
      if (message === null) {
        if (await this.rows.releaseIfDone(claim, head.lastRank)) return 'done';
        head = await this.rows.head(claim);
        continue;
      }
      if (target === null || target.knownUntil < this.clock.monotonicMs()) {
        const found = await this.targets.find(claim, message);
        if (found.kind === 'wait')
          return { ms: found.ms, settling: message.state === 'delivering', failed: false };
        if (found.kind === 'none') return 'until woken';
        if (found.kind === 'closed') {
          await this.rows.failAll(claim, found.reason);
          head = await this.rows.head(claim);
          continue;
        }
        target = found.target;
      }
      let next: Next;
      if (message.state === 'delivering') {
        next = await this.settle(claim, target, message, signal);
        mark = undefined;
        target = null;
      } else {
        try {
          mark ??= await this.markOf(target);
        } catch (error) {
          return this.notReached(claim, message, error);
        }
        next = await this.send(claim, target, message, mark);
      }
      if ('end' in next) return next.end;
      head = next.head;
    }
  }

  private async markOf({ server, conversationId }: Target): Promise<string | null> {
    const last = await this.agentServers.lastEvent(server, conversationId);
    return last?.id ?? null;
  }

  private async send(
    claim: QueueClaim,
    target: Target,
    message: HeadRow,
    mark: string | null,
  ): Promise<Next> {
    if (!(await this.rows.marked(claim, message, mark))) return { head: await this.rows.head(claim) };
    await this.steps.reached('marked', claim.queueId);
    const outcome = await this.agentServers.sendMessage(
      target.server,
      target.conversationId,
      messageJson(message.role, message.content, message.run),
      this.settings.SEND_TIMEOUT_SECONDS * 1000,
      undefined,
      () => {
        claim.assertHeld();
        // What is reached comes after the bytes that are written in this turn of the event loop.
        setImmediate(() => void this.steps.reached('written', claim.queueId));
      },
    );
    await this.steps.reached('sent', claim.queueId);
    this.lifecycle.touch(target.sandboxId);
    return this.noted(claim, message, outcome);
  }

  private async noted(claim: QueueClaim, message: HeadRow, outcome: SendOutcome): Promise<Next> {
    if (outcome.kind === 'delivered') {
      const head = await this.rows.delivered(claim, message.id);
      await this.steps.reached('noted', claim.queueId);
      return { head };
    }
    if (outcome.kind === 'unknown') {
      await this.rows.explained(claim, message.id, outcome.reason);
      return { end: this.settlingTime() };
    }
    if (outcome.kind === 'refused' && REFUSED_FOR_GOOD.has(outcome.status)) {
      await this.rows.failed(claim, message.id, outcome.reason);
      return { head: await this.rows.head(claim) };
    }
    await this.rows.returned(claim, message.id, outcome.reason);
    return { end: await this.backOff(claim, false) };
  }

  /** Finds out what became of a message in doubt, whose settling time has passed. */
  private async settle(
    claim: QueueClaim,
    target: Target,
    message: HeadRow,
    signal: AbortSignal,
  ): Promise<Next> {
    try {
      const fate = await this.doubt.fateOf(claim, target, message, signal);
      if (fate === 'arrived') return { head: await this.rows.delivered(claim, message.id) };
      if (fate === 'open') return { end: this.settlingTime() };
    } catch (error) {
      if (!(error instanceof AgentServerError)) throw error;
      await this.rows.explained(claim, message.id, error.message);
      return { end: await this.backOff(claim, true) };
    }
    if (target.closedReason === null)
      await this.rows.returned(claim, message.id, 'The message had not arrived; it is sent again.');
    else await this.rows.failed(claim, message.id, target.closedReason);
    return { head: await this.rows.head(claim) };
  }

  private async notReached(claim: QueueClaim, message: HeadRow, error: unknown): Promise<RunEnd> {
    if (!(error instanceof AgentServerError)) throw error;
    await this.rows.explained(claim, message.id, error.message);
    return this.backOff(claim, false);
  }

  private settlingTime(): Rest {
    return { ms: this.settings.DELIVERY_SETTLE_SECONDS * 1000, settling: true, failed: false };
  }

  private async backOff(claim: QueueClaim, settling: boolean): Promise<Rest> {
    const { failures } = await this.rows.queue(claim);
    return { ms: Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS), settling, failed: true };
  }
}
