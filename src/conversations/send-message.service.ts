import { Inject, Injectable } from '@nestjs/common';
import { AgentServerClient } from '../agent-server';
import type { Caller } from '../auth';
import { SETTINGS, type Settings } from '../config';
import { SandboxLifecycle, SandboxReader, type SandboxView } from '../sandboxes';
import { ConversationAccess } from './conversation-access';
import type { ConversationRow } from './conversation-rows';
import { SandboxNotFoundError } from './conversations.errors';
import { shownSandboxStatus } from './sandbox-status';
import type { AppSendMessageResponse } from './send-message.dto';
import {
  ConversationArchivedError,
  MessageNotSentError,
  SandboxFailedError,
  SandboxNotRunningError,
  UnknownToAgentServerError,
} from './send-message.errors';

/** Hands a message to the agent server as it came: a thin proxy (interface 1). */
@Injectable()
export class SendMessageService {
  constructor(
    private readonly access: ConversationAccess,
    private readonly sandboxes: SandboxReader,
    private readonly lifecycle: SandboxLifecycle,
    private readonly agentServers: AgentServerClient,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @param rawBody the JSON text for the agent server, `{role, content, run}`
   * @throws in the order of decisions 10: ConversationNotFoundError, SandboxNotFoundError,
   *   ConversationArchivedError, SandboxFailedError, SandboxNotRunningError, MessageNotSentError,
   *   UnknownToAgentServerError
   */
  async send(caller: Caller, conversationId: string, rawBody: string): Promise<AppSendMessageResponse> {
    const conversation = await this.access.owned(caller, conversationId);
    const sandbox = await this.runningSandbox(conversation);
    this.lifecycle.touch(sandbox.id);
    const outcome = await this.agentServers.sendMessage(
      sandbox.agentServer,
      conversation.id,
      rawBody,
      this.settings.SEND_TIMEOUT_SECONDS * 1000,
    );
    if (outcome.kind === 'delivered') return { success: true, sandbox_status: 'RUNNING' };
    if (outcome.kind === 'not_found') throw new UnknownToAgentServerError();
    // It may just have been paused or deleted: then that is what the caller should hear.
    if (outcome.kind === 'unavailable') await this.runningSandbox(conversation);
    throw new MessageNotSentError(outcome.reason, outcome.kind === 'unknown');
  }

  private async runningSandbox(
    conversation: ConversationRow,
  ): Promise<SandboxView & { readonly agentServer: NonNullable<SandboxView['agentServer']> }> {
    const sandbox =
      conversation.sandbox_id === null ? null : await this.sandboxes.byId(conversation.sandbox_id);
    if (sandbox === null) throw new SandboxNotFoundError();
    const status = sandbox.stopping ? 'STOPPING' : shownSandboxStatus(conversation, sandbox);
    if (status === 'MISSING') throw new ConversationArchivedError();
    if (status === 'ERROR') throw new SandboxFailedError();
    const { agentServer } = sandbox;
    if (status !== 'RUNNING' || agentServer === null) throw new SandboxNotRunningError(status, sandbox.id);
    return { ...sandbox, agentServer };
  }
}
