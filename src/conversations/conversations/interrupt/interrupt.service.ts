import { Inject, Injectable } from '@nestjs/common';
import { AgentServerClient, AgentServerUnavailableError } from '../../../sandboxes/agent-server';
import type { Asker } from '../../../kernel/auth';
import { SETTINGS, type Settings } from '../../../kernel/config';
import {
  type RunningSandbox,
  SandboxLifecycle,
  SandboxReader,
  WaitingCalls,
} from '../../../sandboxes/sandboxes';
import { ConversationAccess } from '../access/conversation-access';
import { AgentRuns } from '../agent-messages/agent-runs';
import { running, SendTargets } from '../send-message/send-message.service';
import { UnknownToAgentServerError } from '../send-message/send-message.errors';
import type { TargetConversation } from '../send-message/send-target.read-model';

/** Statuses of a run that is not over: one that waits for a confirmation goes on with the answer. */
const UNDER_WAY: ReadonlySet<string> = new Set(['running', 'waiting_for_confirmation']);

/** Stops agents (docs/contract.md#interrupt). */
@Injectable()
export class InterruptService {
  /** Apart from messages: where as many wait as may, the agent that they wait for can still be stopped. */
  private readonly waiting: WaitingCalls;

  constructor(
    private readonly targets: SendTargets,
    private readonly access: ConversationAccess,
    private readonly sandboxes: SandboxReader,
    private readonly lifecycle: SandboxLifecycle,
    private readonly runs: AgentRuns,
    private readonly agentServers: AgentServerClient,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.waiting = new WaitingCalls(settings);
  }

  /**
   * Stops the run of a conversation's agent, also in the middle of a tool, and one that waits for its turn; that one
   * keeps its turn where it fails.
   * @throws in the order of docs/contract.md#send-message-errors: ConversationNotFoundError, SandboxNotFoundError,
   *   ConversationArchivedError, SandboxFailedError, SandboxNotRunningError, TooManyWaitingCallsError,
   *   UnknownToAgentServerError, AgentServerError
   */
  async interrupt(caller: Asker, conversationId: string): Promise<void> {
    const target = await this.targets.find(conversationId);
    const conversation = await this.access.ownedRow(caller, target?.conversation);
    const sandbox = running(conversation, target?.sandbox ?? null);
    this.lifecycle.touch(sandbox.id);
    await this.stopAgent(conversation, sandbox, caller.userId ?? conversation.createdByUserId);
  }

  /**
   * As {@link interrupt}, of any conversation in a sandbox that runs.
   * @param userId whose call it is
   * @throws TooManyWaitingCallsError, UnknownToAgentServerError, AgentServerError
   */
  async stopAgent(conversation: TargetConversation, sandbox: RunningSandbox, userId: string): Promise<void> {
    const waiting = { userId, conversationId: conversation.id, sandbox };
    const isKnown = await this.waiting.run(waiting, () => this.stop(conversation, sandbox));
    if (!isKnown) throw new UnknownToAgentServerError();
  }

  /**
   * Whether the agent of a conversation in a sandbox that runs is at work, or waits for its turn.
   * @throws AgentServerError
   */
  async isAtWork({ id }: TargetConversation, { agentServer }: RunningSandbox): Promise<boolean> {
    const timeoutMs = this.settings.SEND_TIMEOUT_SECONDS * 1000;
    const info = await this.agentServers.getConversation(agentServer, id, { timeoutMs });
    return UNDER_WAY.has(info?.execution_status ?? '') || (await this.runs.isPlanned(id));
  }

  private async stop(
    conversation: TargetConversation,
    { id, agentServer }: RunningSandbox,
  ): Promise<boolean> {
    const timeoutMs = this.settings.SEND_TIMEOUT_SECONDS * 1000;
    // Before the agent stops: it could begin right after.
    const wasPlanned = await this.runs.cancel(conversation.id);
    try {
      return await this.agentServers.interrupt(agentServer, conversation.id, { timeoutMs });
    } catch (error) {
      if (wasPlanned) await this.runs.later(agentServer, { conversationId: conversation.id, sandboxId: id });
      // It may just have been paused or deleted: then the caller gets that error.
      if (error instanceof AgentServerUnavailableError && !error.mayHaveArrived)
        running(conversation, await this.sandboxes.byId(id));
      throw error;
    }
  }
}
