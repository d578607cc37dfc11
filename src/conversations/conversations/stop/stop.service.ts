import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Caller } from '../../../kernel/auth';
import { newId, parseUuid, storableText } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import { type RunningSandbox, type SandboxView, SandboxNotRunningError } from '../../../sandboxes/sandboxes';
import { InterruptService } from '../interrupt/interrupt.service';
import type { OrgConversationPath } from '../org-list/list/org-conversations.dto';
import { ConversationQueue, type StoppedMessages } from '../queue/conversation-queue';
import { ConversationNotFoundError, SandboxNotFoundError } from '../record/conversations.errors';
import { ConversationArchivedError, UnknownToAgentServerError } from '../send-message/send-message.errors';
import { running, SendTargets } from '../send-message/send-message.service';
import type { TargetConversation } from '../send-message/send-target.read-model';
import type { StopResponse } from './stop.dto';
import { OWN_EVENT } from './own-event';
import { AgentRunsAgainError } from './stop.errors';

/** A message that waited for the tool that was stopped is stored, and run, right after it: how often that is looked for. */
const ROUNDS = 3;
const LOOK_AFTER_MS = 300;

/** What says of a conversation that no agent of it can run. */
const AT_REST = [
  SandboxNotFoundError,
  SandboxNotRunningError,
  ConversationArchivedError,
  UnknownToAgentServerError,
];

/** Stops conversations of members (docs/contract.md#stopping-a-conversation). */
@Injectable()
export class StopService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly targets: SendTargets,
    private readonly interrupts: InterruptService,
    private readonly queue: ConversationQueue,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Fails what is queued, records who stopped it and why, and then interrupts the agent: what is recorded stands also where
   * the agent server does not answer any more.
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
    const sandbox = whereItMayRun(conversation, target.sandbox);
    const isAtWork = sandbox !== null && (await this.interrupts.isAtWork(conversation, sandbox));
    const { failed, onTheirWay } = await this.record(caller, conversation, storableText(reason), isAtWork);
    const stopped = isAtWork || failed + onTheirWay > 0;
    if (sandbox !== null && stopped) await this.interrupt(caller, conversation, sandbox);
    return { stopped, failed_messages: failed };
  }

  private record(
    { userId }: Caller,
    { id, orgId }: TargetConversation,
    reason: string,
    isAtWork: boolean,
  ): Promise<StoppedMessages> {
    return this.database.transaction(async (transaction) => {
      const messages = await this.queue.stop(transaction, id, `The conversation was stopped: ${reason}`);
      if (isAtWork || messages.failed + messages.onTheirWay > 0)
        await this.events.publish(transaction, {
          kind: 'conversation.stopped',
          org_id: orgId,
          conversation_id: id,
          user_id: userId,
          reason,
          event_id: `${OWN_EVENT}${newId()}`,
        });
      return messages;
    });
  }

  private async interrupt(
    { userId }: Caller,
    conversation: TargetConversation,
    sandbox: RunningSandbox,
  ): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      try {
        await this.interrupts.stopAgent(conversation, sandbox, userId);
      } catch (error) {
        if (isAtRest(error)) return;
        throw error;
      }
      await sleep(LOOK_AFTER_MS);
      if (!(await this.interrupts.isAtWork(conversation, sandbox))) return;
    }
    throw new AgentRunsAgainError();
  }
}

/** @returns null where no agent can run; @throws SandboxFailedError where that is not known */
function whereItMayRun(conversation: TargetConversation, sandbox: SandboxView | null): RunningSandbox | null {
  try {
    return running(conversation, sandbox);
  } catch (error) {
    if (isAtRest(error)) return null;
    throw error;
  }
}

function isAtRest(error: unknown): boolean {
  return AT_REST.some((type) => error instanceof type);
}
