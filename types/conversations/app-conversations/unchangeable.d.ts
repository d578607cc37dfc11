import type { ConversationRow } from '../record/conversation-row';
import type { AppConversationUpdate } from './conversation-update.dto';
/**
 * Refuses to drop what an update cannot do; what the record has already passes, so that one that was read can be sent
 * back (docs/contract.md#conversation-record).
 * @throws SharingNotSupportedError, OnlyAtStartError
 */
export declare function assertChangeable(update: AppConversationUpdate, row: ConversationRow): void;
