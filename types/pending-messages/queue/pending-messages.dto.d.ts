import { type ContentBlock } from '../../conversations';
import { type MessageMode } from '../record/message-modes';
import { type MessageState } from '../record/message-states';
/** `{conversation_id}`: any text; the operations describe what it can name. */
export declare class QueuePath {
    conversation_id: string;
}
/** The path with `{message_id}` too. */
export declare class QueuedMessagePath extends QueuePath {
    message_id: string;
}
/** A message to queue (docs/contract.md#queued-messages). */
export declare class PendingMessageRequest {
    role: "user";
    content: ContentBlock[];
    mode: MessageMode;
}
/** The response to a queued message (docs/contract.md#queued-messages). */
export declare class PendingMessageResponse {
    id: string;
    queued: boolean;
    position: number;
}
/** New content of a queued message, and a new mode of it. */
export declare class PendingMessageUpdate {
    content: ContentBlock[];
    mode?: MessageMode;
}
/** A new order of the queued messages. */
export declare class PendingMessageOrder {
    ids: string[];
}
/** Which messages of a queue to list. */
export declare class QueueQuery {
    state: MessageState[];
    page_id?: string;
}
/** A message of a queue. */
export declare class QueuedMessage {
    id: string;
    state: MessageState;
    position: number | null;
    mode: MessageMode;
    role: string;
    content: unknown;
    created_at: string;
    attempts: number;
    last_error: string | null;
    delivered_at: string | null;
}
/** The messages of a queue, first to be delivered first. */
export declare class QueuedMessageList {
    items: QueuedMessage[];
    next_page_id: string | null;
}
