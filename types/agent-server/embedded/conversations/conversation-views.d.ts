import type { ConversationRecord } from './conversation-files';
import type { EventLog } from './event-log';
import type { Stats } from './stats';
/** A conversation as the API answers it. */
export interface ConversationState {
    readonly record: ConversationRecord;
    readonly log: EventLog;
    readonly folder: string | null;
    readonly status: string;
    readonly stats: Stats;
    readonly lastUserMessageId: string | null;
}
/** A conversation as REST answers and webhooks have it. */
export declare function conversationInfo(conversation: ConversationState): Record<string, unknown>;
/** The value of a `full_state` event. */
export declare function fullState(conversation: ConversationState): Record<string, unknown>;
