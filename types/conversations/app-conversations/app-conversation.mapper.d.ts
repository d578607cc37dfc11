import type { SandboxView } from '../../sandboxes';
import type { AppConversation } from './app-conversation.dto';
import type { AppConversationUpdate } from './conversation-update.dto';
import type { ConversationChanges } from '../record/conversation.repository';
import type { ConversationRow } from '../record/conversation-row';
/**
 * A conversation as answered to one of its readers.
 * @param readerId the address of the agent server is for the creator only, while the sandbox runs
 */
export declare function toAppConversation(row: ConversationRow, sandbox: SandboxView | null, subConversationIds: readonly string[], readerId: string): AppConversation;
/** What an update writes: only what is present in it. */
export declare function toChanges(update: AppConversationUpdate, row: ConversationRow): ConversationChanges;
