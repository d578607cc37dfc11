import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/auth';
import {
  SandboxNotRunningError,
  SandboxReader,
  type SandboxView,
  SandboxWaker,
} from '../../../sandboxes/sandboxes';
import { ConversationAccess } from '../access/conversation-access';
import { ConversationQueue } from '../queue/conversation-queue';
import { SandboxNotFoundError } from '../record/conversations.errors';
import { shownSandboxStatus } from '../record/sandbox-status';
import { running, SendTargets } from './running-sandbox';
import type { AppSendMessageResponse, QueuedSendResponse } from './send-message.dto';
import { RunRequiredToWakeError } from './send-message.errors';
import { SendMessageService } from './send-message.service';
import type { TargetConversation } from './send-target.read-model';

/** A message for a sandbox that may have to be resumed first. */
export interface WakingMessage {
  /** The JSON text of its blocks, as it came. */
  readonly content: string;
  readonly run: boolean;
  /** The JSON text for the agent server, `{role, content, run}`. */
  readonly rawBody: string;
}

/** Sends messages, and resumes the sandboxes that they are for (docs/contract.md#waking-a-sandbox). */
@Injectable()
export class WakingSends {
  constructor(
    private readonly messages: SendMessageService,
    private readonly targets: SendTargets,
    private readonly access: ConversationAccess,
    private readonly sandboxes: SandboxReader,
    private readonly waker: SandboxWaker,
    private readonly queue: ConversationQueue,
  ) {}

  /**
   * Sends a message to a sandbox that runs; queues it for one that does not, and resumes that, both or neither.
   * @throws RunRequiredToWakeError, those of {@link SendMessageService.send}, of SandboxWaker.wake and of
   *   ConversationQueue.add
   */
  async send(
    caller: Caller,
    conversationId: string,
    message: WakingMessage,
  ): Promise<AppSendMessageResponse | QueuedSendResponse> {
    if (!message.run) throw new RunRequiredToWakeError();
    const target = await this.targets.find(conversationId);
    const conversation = await this.access.ownedRow(caller, target?.conversation);
    const sandbox = target?.sandbox ?? null;
    if (sandbox === null) throw new SandboxNotFoundError();
    return (
      (await this.sentAtOnce(caller, conversation, sandbox, message)) ??
      this.queued(caller, conversation, sandbox.id, message)
    );
  }

  /** Null for a sandbox that does not run, and where the message would overtake others. */
  private async sentAtOnce(
    caller: Caller,
    conversation: TargetConversation,
    sandbox: SandboxView,
    { rawBody }: WakingMessage,
  ): Promise<AppSendMessageResponse | null> {
    try {
      running(conversation, sandbox);
      if (await this.queue.isAhead(conversation.id)) return null;
      return await this.messages.send(caller, conversation.id, rawBody);
    } catch (error) {
      // Nothing was sent then: it may also have been paused meanwhile.
      if (error instanceof SandboxNotRunningError) return null;
      throw error;
    }
  }

  private async queued(
    { userId }: Caller,
    conversation: TargetConversation,
    sandboxId: string,
    { content }: WakingMessage,
  ): Promise<QueuedSendResponse> {
    const queued = await this.waker.wake(sandboxId, async (transaction, status) => {
      const to = { conversationId: conversation.id, userId };
      const receipt = await this.queue.add(transaction, to, content);
      return { ...receipt, sandbox_status: shownSandboxStatus(conversation, { status, stopping: false }) };
    });
    if (queued !== null) return { ...queued, queued: true, state: 'queued', mode: 'steer' };
    running(conversation, await this.sandboxes.byId(sandboxId));
    // Somebody has resumed it in this very moment.
    throw new SandboxNotRunningError('STARTING', sandboxId);
  }
}
