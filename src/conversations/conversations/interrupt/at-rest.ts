import { type RunningSandbox, type SandboxView, SandboxNotRunningError } from '../../../sandboxes/sandboxes';
import { SandboxNotFoundError } from '../record/conversations.errors';
import { ConversationArchivedError, UnknownToAgentServerError } from '../send-message/send-message.errors';
import { running } from '../send-message/send-message.service';
import type { TargetConversation } from '../send-message/send-target.read-model';

/** What says of a conversation that no agent of it can run. */
const AT_REST = [
  SandboxNotFoundError,
  SandboxNotRunningError,
  ConversationArchivedError,
  UnknownToAgentServerError,
];

/** Whether an error says that no agent of the conversation can run. */
export function isAtRest(error: unknown): boolean {
  return AT_REST.some((type) => error instanceof type);
}

/** The sandbox that an agent may run in. @returns null where none can; @throws SandboxFailedError where that is not known */
export function runningIfAny(
  conversation: TargetConversation,
  sandbox: SandboxView | null,
): RunningSandbox | null {
  try {
    return running(conversation, sandbox);
  } catch (error) {
    if (isAtRest(error)) return null;
    throw error;
  }
}
