import {
  type RunningSandbox,
  SandboxFailedError,
  SandboxNotRunningError,
  type SandboxView,
  SandboxReader,
} from '../../../sandboxes/sandboxes';
import { SandboxNotFoundError } from '../record/conversations.errors';
import { shownSandboxStatus } from '../record/sandbox-status';
import { ConversationArchivedError, UnknownToAgentServerError } from './send-message.errors';
import { type TargetConversation, SEND_TARGET } from './send-target.read-model';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/** Where a message goes. */
interface SendTarget {
  readonly conversation: TargetConversation;
  /** Null when the conversation has none, or an unknown one. */
  readonly sandbox: SandboxView | null;
}

/** Reads where messages go: a conversation and its sandbox in one statement. */
@Injectable()
export class SendTargets {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sandboxes: SandboxReader,
  ) {}

  /** @returns null for an unknown or deleted conversation */
  async find(conversationId: string): Promise<SendTarget | null> {
    const [row] = await SEND_TARGET.rows(this.database, [conversationId]);
    return row === undefined ? null : { conversation: row, sandbox: this.sandboxes.viewOf(row) };
  }
}

/**
 * The sandbox as one that takes messages.
 * @throws what else it is, in the order of docs/contract.md#send-message-errors: SandboxNotFoundError,
 *   ConversationArchivedError, SandboxFailedError, UnknownToAgentServerError, SandboxNotRunningError
 */
export function running(conversation: TargetConversation, sandbox: SandboxView | null): RunningSandbox {
  if (sandbox === null) throw new SandboxNotFoundError();
  const status = sandbox.stopping ? 'STOPPING' : shownSandboxStatus(conversation, sandbox);
  if (status === 'MISSING') throw new ConversationArchivedError();
  if (status === 'ERROR') throw new SandboxFailedError();
  // Whatever the agent server has under this id is another conversation.
  if (conversation.startState === 'failed') throw new UnknownToAgentServerError();
  const { agentServer } = sandbox;
  if (status !== 'RUNNING' || agentServer === null) throw new SandboxNotRunningError(status, sandbox.id);
  return { ...sandbox, agentServer };
}
