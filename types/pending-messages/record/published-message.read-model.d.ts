import { Statement } from '../../database';
/** A message with its queue and its conversation, as events carry it. */
export interface PublishedMessage {
    readonly message_id: string;
    readonly queue_id: string;
    readonly user_id: string;
    readonly conversation_id: string | null;
    readonly org_id: string | null;
    readonly last_error: string | null;
}
/** By hand because events carry the organization, which the conversation has, or the queue before there is one: messages by their ids ($1). */
export declare const PUBLISHED_MESSAGES: Statement<PublishedMessage>;
