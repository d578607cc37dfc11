import { PreparedStatement } from '../../database';
import { type SandboxRow } from '../../sandboxes';
import type { ConversationRow } from '../record/conversation-row';
/**
 * What of a conversation decides about a message to it, and where its agent works. `sandboxId` is null also for an
 * unknown sandbox.
 */
export type TargetConversation = Pick<ConversationRow, 'id' | 'orgId' | 'createdByUserId' | 'startState' | 'sandboxId' | 'selectedRepository'>;
/**
 * A conversation with its sandbox. By hand, and prepared: it is the only look-up for a message besides
 * those of the caller, which are cached briefly, and planning it takes longer than running it
 * (docs/decisions/0009-sql-by-hand.md).
 */
export declare const SEND_TARGET: PreparedStatement<TargetConversation & SandboxRow>;
