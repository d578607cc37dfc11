import {
  type RunningSandbox,
  SandboxFailedError,
  SandboxNotRunningError,
  type SandboxView,
} from '../../../sandboxes/sandboxes';
import { SandboxNotFoundError } from '../record/conversations.errors';
import { shownSandboxStatus } from '../record/sandbox-status';
import { ConversationArchivedError, UnknownToAgentServerError } from './send-message.errors';
import type { TargetConversation } from './send-target.read-model';

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
