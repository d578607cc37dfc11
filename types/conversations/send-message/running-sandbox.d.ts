import { type RunningSandbox, type SandboxView } from '../../sandboxes';
import type { TargetConversation } from './send-target.read-model';
/**
 * The sandbox as one that takes messages.
 * @throws what else it is, in the order of docs/contract.md#send-message-errors: SandboxNotFoundError,
 *   ConversationArchivedError, SandboxFailedError, UnknownToAgentServerError, SandboxNotRunningError
 */
export declare function running(conversation: TargetConversation, sandbox: SandboxView | null): RunningSandbox;
