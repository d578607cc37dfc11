import type { ConversationRow } from '../../conversations';
import { type ColumnsOf, PreparedStatement, Statement } from '../../database';
/** A conversation with what decides who may use its queue. */
export type OwnerRow = ColumnsOf<ConversationRow, 'createdByUserId' | 'orgId'> & {
    readonly conversation_id: string;
    readonly deleted: boolean;
};
/** A conversation, by its id or its start task's ($1); prepared for every message that is queued. */
export declare const OWNER: PreparedStatement<OwnerRow>;
/** Keeps a user ($1) from starting conversations and from queuing for those that do not exist yet, one at a time. */
export declare const LOCK_USER: Statement<object>;
/** The conversations of the ids ($1) with those who created them, by id. */
export declare const CREATORS: Statement<{
    readonly id: string;
    readonly user_id: string;
}>;
/** Queues that could be delivered from and that nobody has touched for an interval ($1), nor planned a job for. */
export declare const STALLED_QUEUES: Statement<{
    readonly id: string;
}>;
/** Delivered messages beyond a number of bytes ($1) of an organization, where the latest are kept. */
export declare const DELIVERED_BEYOND: Statement<{
    readonly id: string;
}>;
/** The bytes of undelivered messages of the queue ($1) and of its owners, whom others wait for. */
export declare const UNDELIVERED_BYTES: Statement<{
    readonly early: string;
    readonly of_user: string;
    readonly of_org: string;
}>;
