import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/auth';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { SandboxLifecycle, SandboxReader, WaitingCalls } from '../../../sandboxes/sandboxes';
import { AgentMessages } from '../agent-messages/agent-messages';
import { ConversationAccess } from '../access/conversation-access';
import type { AppSendMessageResponse } from './send-message.dto';
import { running, SendTargets } from './running-sandbox';
import { MessageNotSentError, messageRefused, UnknownToAgentServerError } from './send-message.errors';

/** Responses of an agent server to a message that will not get better by sending it again. */
const MALFORMED: readonly number[] = [400, 413, 422];

/** Hands a message to the agent server as it came: a thin proxy (docs/contract.md#what-the-service-does). */
@Injectable()
export class SendMessageService {
  constructor(
    private readonly targets: SendTargets,
    private readonly access: ConversationAccess,
    private readonly sandboxes: SandboxReader,
    private readonly lifecycle: SandboxLifecycle,
    private readonly messages: AgentMessages,
    private readonly waiting: WaitingCalls,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @param rawBody the JSON text for the agent server, `{role, content, run}`
   * @throws in the order of docs/contract.md#send-message-errors: ConversationNotFoundError,
   *   SandboxNotFoundError, ConversationArchivedError, SandboxFailedError, SandboxNotRunningError,
   *   TooManyWaitingCallsError, UnknownToAgentServerError, ValidationError (what the agent server finds malformed),
   *   MessageNotSentError
   */
  async send(caller: Caller, conversationId: string, rawBody: string): Promise<AppSendMessageResponse> {
    const target = await this.targets.find(conversationId);
    const conversation = await this.access.ownedRow(caller, target?.conversation);
    const sandbox = running(conversation, target?.sandbox ?? null);
    this.lifecycle.touch(sandbox.id);
    const timeoutMs = this.settings.SEND_TIMEOUT_SECONDS * 1000;
    const waiting = { userId: caller.userId, conversationId: conversation.id, sandbox };
    const outcome = await this.waiting.run(waiting, () =>
      this.messages.send(
        { server: sandbox.agentServer, conversationId: conversation.id, sandboxId: sandbox.id },
        rawBody,
        timeoutMs,
      ),
    );
    if (outcome.kind === 'delivered') return { success: true, sandbox_status: 'RUNNING' };
    if (outcome.kind === 'not_found') throw new UnknownToAgentServerError();
    // It may just have been paused or deleted: then the caller gets that error.
    if (outcome.kind === 'unavailable') running(conversation, await this.sandboxes.byId(sandbox.id));
    if (outcome.kind === 'refused' && MALFORMED.includes(outcome.status))
      throw messageRefused(outcome.reason);
    throw new MessageNotSentError(outcome.reason, outcome.kind === 'unknown');
  }
}
