import { Injectable } from '@nestjs/common';
import type { Asker } from '../../../kernel/auth';
import { SandboxLifecycle } from '../../../sandboxes/sandboxes';
import { ConversationAccess } from '../access/conversation-access';
import { running, SendTargets } from '../send-message/send-message.service';
import { RunningAgents } from './running-agents';

/** Interrupts agents for those whose they are (docs/contract.md#interrupt). */
@Injectable()
export class InterruptService {
  constructor(
    private readonly targets: SendTargets,
    private readonly access: ConversationAccess,
    private readonly lifecycle: SandboxLifecycle,
    private readonly agents: RunningAgents,
  ) {}

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
    await this.agents.stop(conversation, sandbox, caller.userId ?? conversation.createdByUserId, true);
  }
}
