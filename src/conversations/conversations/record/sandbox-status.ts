import type { SandboxStatus, SandboxView } from '../../../sandboxes/sandboxes';
import type { ConversationRow } from './conversation-row';

/**
 * The status a conversation shows of its sandbox: until its agent server knows it, it counts as STARTING
 * (docs/contract.md#conversation-record); one that is being stopped shows as PAUSED
 * (docs/contract.md#send-message-errors).
 * @param sandbox the sandbox of the conversation, or null when it has none or an unknown one
 */
export function shownSandboxStatus(
  conversation: Pick<ConversationRow, 'startState' | 'sandboxId'>,
  sandbox: Pick<SandboxView, 'status' | 'stopping'> | null,
): SandboxStatus {
  if (sandbox === null) {
    if (conversation.sandboxId !== null) return 'MISSING';
    return conversation.startState === 'failed' ? 'ERROR' : 'STARTING';
  }
  if (conversation.startState === 'starting' && (sandbox.status === 'RUNNING' || sandbox.status === 'PAUSED'))
    return 'STARTING';
  return sandbox.stopping ? 'PAUSED' : sandbox.status;
}
