import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../../kernel/auth';
import { Clock, newId, parseUuid, storableText } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { DomainEvents } from '../../../kernel/domain-events';
import type { RunningSandbox } from '../../../sandboxes/sandboxes';
import { isAtRest, runningIfAny } from '../interrupt/at-rest';
import { RunningAgents } from '../interrupt/running-agents';
import type { OrgConversationPath } from '../org-list/list/org-conversations.dto';
import { ConversationQueue } from '../queue/conversation-queue';
import { ConversationNotFoundError } from '../record/conversations.errors';
import { SendTargets } from '../send-message/send-message.service';
import type { TargetConversation } from '../send-message/send-target.read-model';
import type { StopResponse } from './stop.dto';
import { OWN_EVENT } from './own-event';
import { AgentRunsAgainError } from './stop.errors';

/** A message that waited for the tool that was stopped is stored, and run, right after it: how often that is looked for. */
const ROUNDS = 3;
const LOOK_AFTER_MS = 300;
/** How much longer than it takes to send a message, and to settle it, one that is on its way is waited for. */
const GRACE_MS = 5_000;

/** What was stopped without asking the agent server. */
interface Recorded {
  /** How many queued messages failed. */
  readonly failed: number;
  /** Whether there was anything to stop; then that was published. */
  readonly hadWork: boolean;
}

/** Stops conversations of members (docs/contract.md#stopping-a-conversation). */
@Injectable()
export class StopService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly targets: SendTargets,
    private readonly agents: RunningAgents,
    private readonly queue: ConversationQueue,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Fails what is queued and records who stopped it and why, whatever the sandbox and its agent server do; and then interrupts
   * the agent, until it rests and no message is on its way.
   * @throws ConversationNotFoundError, SandboxFailedError, TooManyWaitingCallsError, AgentServerError, AgentRunsAgainError
   */
  async stop(
    caller: Caller,
    { org_id: orgId, conversation_id }: OrgConversationPath,
    reason: string,
  ): Promise<StopResponse> {
    const id = parseUuid(conversation_id);
    const target = id === null ? null : await this.targets.find(id);
    if (target?.conversation.orgId !== orgId) throw new ConversationNotFoundError();
    const { conversation } = target;
    const why = storableText(reason);
    const { failed, hadWork } = await this.record(caller, conversation, why);
    const sandbox = runningIfAny(conversation, target.sandbox);
    if (sandbox === null) return { stopped: hadWork, failed_messages: failed };
    const isAtWork = await this.agents.isAtWork(conversation, sandbox, caller.userId);
    if (isAtWork && !hadWork)
      await this.database.transaction((transaction) => this.publish(transaction, caller, conversation, why));
    await this.interrupt(caller, conversation, sandbox);
    return { stopped: hadWork || isAtWork, failed_messages: failed };
  }

  private record(caller: Caller, conversation: TargetConversation, reason: string): Promise<Recorded> {
    return this.database.transaction(async (transaction) => {
      const why = `The conversation was stopped: ${reason}`;
      const { failed, onTheirWay } = await this.queue.stop(transaction, conversation.id, why);
      const wasPlanned = await this.agents.takeTurn(transaction, conversation.id);
      const hadWork = wasPlanned || failed + onTheirWay > 0;
      if (hadWork) await this.publish(transaction, caller, conversation, reason);
      return { failed, hadWork };
    });
  }

  private async publish(
    transaction: EntityManager,
    { userId }: Caller,
    { id, orgId }: TargetConversation,
    reason: string,
  ): Promise<void> {
    await this.events.publish(transaction, {
      kind: 'conversation.stopped',
      org_id: orgId,
      conversation_id: id,
      user_id: userId,
      reason,
      event_id: `${OWN_EVENT}${newId()}`,
    });
  }

  /** Interrupts also an agent that is said to be idle: it may be about to run, and its server is not to be believed. */
  private async interrupt(
    { userId }: Caller,
    conversation: TargetConversation,
    sandbox: RunningSandbox,
  ): Promise<void> {
    const { SEND_TIMEOUT_SECONDS: sendSeconds, DELIVERY_SETTLE_SECONDS: settleSeconds } = this.settings;
    const until = this.clock.monotonicMs() + (sendSeconds + settleSeconds) * 1000 + GRACE_MS;
    for (let round = 0; round < ROUNDS; round++) {
      try {
        await this.agents.stop(conversation, sandbox, userId, false);
      } catch (error) {
        if (isAtRest(error)) return;
        throw error;
      }
      if (await this.rests(userId, conversation, sandbox, until)) return;
    }
    throw new AgentRunsAgainError();
  }

  /** Looks until no message is on its way. @returns false once the agent is at work */
  private async rests(
    userId: string,
    conversation: TargetConversation,
    sandbox: RunningSandbox,
    until: number,
  ): Promise<boolean> {
    do {
      await sleep(LOOK_AFTER_MS);
      // Before the agent: what arrives in between is seen there.
      const awaitsMessage = await this.queue.hasStoppedOnItsWay(conversation.id);
      if (await this.agents.isAtWork(conversation, sandbox, userId)) return false;
      if (!awaitsMessage) return true;
    } while (this.clock.monotonicMs() < until);
    throw new AgentRunsAgainError();
  }
}
