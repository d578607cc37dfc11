import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { type AgentServer, AgentServerClient, AgentServerError } from '../agent-server';
import { Clock } from '../common';
import { SETTINGS, type Settings } from '../config';
import { messageJson } from '../conversations';
import { JobHandlers, JobQueue, LeaseLostError, type RunningJob } from '../jobs';
import { SandboxLifecycle, SandboxReader } from '../sandboxes';
import { DELIVERY_JOB, deliveryJob } from './delivery-job-name';
import { DeliverySteps } from './delivery-steps';
import { type DeliveryQueueRow, DeliveryRows, type HeadRow } from './delivery-rows';
import { Doubt } from './doubt';
import { ClaimLostError, type QueueClaim, QueueClaims } from './queue-claim';

const payload = z.object({ queueId: z.uuid() });
const MAX_PAUSE_MS = 60_000;
/** With 500 the agent server says that it stored nothing, and never will. */
const REFUSED_FOR_GOOD = new Set([400, 413, 422, 500]);
/** How long a sandbox that was found running is taken to run, without asking again. */
const TARGET_MS = 1_000;

/** What a run knows of its conversation. */
interface Target {
  readonly server: AgentServer;
  readonly conversationId: string;
  readonly sandboxId: string;
  readonly knownUntil: number;
}

/** How a run ends: when to go on, or that others say when. */
type Pause =
  { readonly kind: 'at'; readonly at: Date; readonly failed: boolean } | { readonly kind: 'woken' };

/**
 * Delivers what a queue holds, one message at a time and in order (decisions 11). Right before each send the
 * claim on the queue is checked by the monotonic clock; a process that is stopped between that check and the
 * write, for longer than its lease, may write late: that moment is the window that remains.
 */
@Injectable()
export class DeliveryJob {
  private readonly logger = new Logger(DeliveryJob.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly claims: QueueClaims,
    private readonly rows: DeliveryRows,
    private readonly doubt: Doubt,
    private readonly sandboxes: SandboxReader,
    private readonly lifecycle: SandboxLifecycle,
    private readonly agentServers: AgentServerClient,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    private readonly steps: DeliverySteps,
    handlers: JobHandlers,
  ) {
    handlers.register(DELIVERY_JOB, payload, ({ queueId }, job) => this.run(queueId, job));
  }

  private async run(queueId: string, job: RunningJob): Promise<void> {
    const claim = await this.claims.take(queueId, job.lease.fence);
    if (claim === null) return;
    if (claim instanceof Date) {
      await this.database.transaction((transaction) =>
        this.jobs.add(transaction, deliveryJob(queueId, claim)),
      );
      return;
    }
    try {
      const pause = await this.drain(claim, job);
      if (pause?.kind === 'at') await this.rows.releaseUntil(claim, pause.at, pause.failed);
      else if (pause) await this.rows.release(claim);
    } catch (error) {
      if (!(error instanceof ClaimLostError) && !(error instanceof LeaseLostError)) throw error;
      this.logger.warn({ queueId }, error.message);
    } finally {
      claim.end();
    }
  }

  /** @returns null when nothing is left and the claim has ended with that */
  private async drain(claim: QueueClaim, job: RunningJob): Promise<Pause | null> {
    let target: Target | null = null;
    let mark: string | null | undefined;
    for (;;) {
      const message = await this.rows.head(claim);
      if (message === undefined) {
        if (await this.rows.releaseIfDone(claim)) return null;
        continue;
      }
      if (target === null || target.knownUntil < this.clock.monotonicMs()) {
        const found = await this.findTarget(claim, message);
        if (found === 'closed') continue;
        if ('kind' in found) return found;
        target = found;
      }
      if (message.state === 'delivering') {
        const pause = await this.settle(claim, target, message);
        if (pause) return pause;
        mark = undefined;
        continue;
      }
      try {
        mark ??= await this.markOf(target);
      } catch (error) {
        return this.notReached(claim, message, error);
      }
      const pause = await this.send(claim, job, target, message, mark);
      if (pause) return pause;
    }
  }

  private async findTarget(claim: QueueClaim, message: HeadRow): Promise<Target | Pause | 'closed'> {
    const queue = await this.rows.queue(claim);
    if (queue === undefined) throw new ClaimLostError();
    if (queue.closed_reason !== null) {
      await this.rows.failAll(claim, queue.closed_reason);
      return 'closed';
    }
    const wait = this.waitOf(queue, message);
    if (wait) return wait;
    const running = await this.runningConversation(queue);
    return running ?? { kind: 'woken' };
  }

  /** A message in doubt after a crash has no time set: its settling time begins now. */
  private waitOf({ next_attempt_at: next }: DeliveryQueueRow, message: HeadRow): Pause | null {
    if (next === null) return message.state === 'delivering' ? this.settlingPause() : null;
    return next > this.clock.now() ? { kind: 'at', at: next, failed: false } : null;
  }

  private async runningConversation(queue: DeliveryQueueRow): Promise<Target | null> {
    const [conversation] = await this.database.query<{ id: string; sandbox_id: string | null }[]>(
      `SELECT id, sandbox_id FROM conversations WHERE id = $1 AND start_state = 'ready' AND deleted_at IS NULL`,
      [queue.conversation_id],
    );
    if (!conversation?.sandbox_id) return null;
    const sandbox = await this.sandboxes.byId(conversation.sandbox_id);
    if (sandbox?.status !== 'RUNNING' || sandbox.agentServer === null) return null;
    return {
      server: sandbox.agentServer,
      conversationId: conversation.id,
      sandboxId: sandbox.id,
      knownUntil: this.clock.monotonicMs() + TARGET_MS,
    };
  }

  private async markOf({ server, conversationId }: Target): Promise<string | null> {
    const last = await this.agentServers.lastEvent(server, conversationId);
    return last?.id ?? null;
  }

  private async send(
    claim: QueueClaim,
    job: RunningJob,
    target: Target,
    message: HeadRow,
    mark: string | null,
  ): Promise<Pause | null> {
    if (!(await this.rows.marked(claim, message, mark))) return null;
    await this.steps.reached('marked');
    claim.assertHeld();
    job.lease.assertHeld();
    const outcome = await this.agentServers.sendMessage(
      target.server,
      target.conversationId,
      messageJson(message.role, message.content, message.run),
      this.settings.SEND_TIMEOUT_SECONDS * 1000,
      job.signal,
    );
    await this.steps.reached('sent');
    this.lifecycle.touch(target.sandboxId);
    switch (outcome.kind) {
      case 'delivered':
        await this.rows.delivered(claim, message.id);
        await this.steps.reached('noted');
        return null;
      case 'unknown':
        await this.rows.inDoubt(claim, message.id, outcome.reason);
        return this.settlingPause();
      case 'refused':
        if (!REFUSED_FOR_GOOD.has(outcome.status)) break;
        await this.rows.refused(claim, message.id, outcome.reason);
        return null;
    }
    await this.rows.returned(claim, message.id, outcome.reason);
    return this.backOff(claim);
  }

  /** @returns null when it is known what became of the message, or it may be sent again */
  private async settle(claim: QueueClaim, target: Target, message: HeadRow): Promise<Pause | null> {
    try {
      if (await this.doubt.arrived(claim, target.server, target.conversationId, message))
        await this.rows.delivered(claim, message.id);
      else if (await this.isBusy(target)) return this.settlingPause();
      else await this.rows.returned(claim, message.id, 'The message had not arrived; it is sent again.');
      return null;
    } catch (error) {
      if (!(error instanceof AgentServerError)) throw error;
      await this.rows.inDoubt(claim, message.id, error.message);
      return this.backOff(claim);
    }
  }

  /** While the agent works, its server may hold a message back and still store it later. */
  private async isBusy({ server, conversationId }: Target): Promise<boolean> {
    const info = await this.agentServers.getConversation(server, conversationId);
    return info?.execution_status === 'running';
  }

  private async notReached(claim: QueueClaim, message: HeadRow, error: unknown): Promise<Pause> {
    if (!(error instanceof AgentServerError)) throw error;
    await this.rows.returned(claim, message.id, error.message);
    return this.backOff(claim);
  }

  private settlingPause(): Pause {
    const ms = this.settings.DELIVERY_SETTLE_SECONDS * 1000;
    return { kind: 'at', at: new Date(this.clock.now().getTime() + ms), failed: false };
  }

  private async backOff(claim: QueueClaim): Promise<Pause> {
    const queue = await this.rows.queue(claim);
    const ms = Math.min(1_000 * 2 ** (queue?.failures ?? 0), MAX_PAUSE_MS);
    return { kind: 'at', at: new Date(this.clock.now().getTime() + ms), failed: true };
  }
}
