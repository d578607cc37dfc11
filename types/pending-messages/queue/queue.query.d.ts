import { type ColumnsOf, PreparedStatement, Statement } from '../../database';
import type { PendingMessage } from '../record/pending-message.entity';
import type { MessageRow } from '../record/queue-json';
/** What `queue_message` answers. */
export interface QueuedRow {
    readonly to_queue: string | null;
    readonly refusal: string | null;
    readonly place: string | null;
    /** Nobody has the queue, and no run is planned. */
    readonly needs_run: boolean | null;
    /** Of the lease that was asked for, if it was necessary. */
    readonly new_fence: string | null;
    readonly orphaned_ms: number | null;
    /** Which limit of bytes refuses the message. */
    readonly exceeded: ByteLimit | null;
}
/** A limit of undelivered bytes: of a queue without a conversation, of the user, of the organization. */
export type ByteLimit = 'queue' | 'user' | 'organization';
/** Queues a message. */
export declare const QUEUE_MESSAGE: PreparedStatement<QueuedRow>;
/** As {@link QUEUE_MESSAGE}, for one that waits for the end of a run. */
export declare const QUEUE_AFTER_RUN: PreparedStatement<QueuedRow>;
/** Whether messages wait in the queue of a conversation ($1) that one sent past it would overtake. */
export declare const WAITING_TO_STEER: Statement<object>;
/**
 * Messages of a queue ($1) in some states ($2), the first to be delivered first, from one ($3) on; with their places
 * among the undelivered, their sizes, and the contents of the beginning.
 */
export declare const LIST_MESSAGES: Statement<MessageRow>;
/** The contents of messages ($2) of a queue ($1). */
export declare const MESSAGE_CONTENTS: Statement<{
    readonly id: string;
    readonly content: string;
}>;
/** A message whose place is to change. */
export type RankedRow = ColumnsOf<PendingMessage, 'id' | 'rank' | 'state' | 'isInitial'>;
/** Keeps others from a queue ($1). */
export declare const LOCK_QUEUE: Statement<object>;
/** Locks the queued messages of a queue ($1), and some others ($2), in their order. */
export declare const LOCK_RANKS: Statement<RankedRow>;
/** Gives messages ($1) their ranks ($2). */
export declare const SET_RANKS: Statement<object>;
/**
 * Gives a conversation ($1) a queue that its user ($2) has filled under its id or its start task's ($3) in its
 * organization ($4). One without an organization was filled by an older release.
 */
export declare const ATTACH_EARLY_QUEUE: Statement<{
    readonly id: string;
}>;
/** Closes the queues of conversations ($1) by their users ($2), for a reason ($3); makes those that are not there. */
export declare const CLOSE_QUEUES: Statement<{
    readonly id: string;
}>;
/** Fails what is queued in queues ($1), for a reason ($2). */
export declare const FAIL_QUEUED: Statement<{
    readonly id: string;
}>;
/** Closes early queues older than an interval ($1), for a reason ($2). */
export declare const EXPIRE_EARLY: Statement<{
    readonly id: string;
}>;
/** Deletes messages that are done for an interval ($1), except where the outcome of another is unknown. */
export declare const DELETE_DONE: Statement<object>;
/** Deletes delivered messages ($1), except where the outcome of another is unknown. */
export declare const DELETE_DELIVERED: Statement<object>;
/** Deletes closed early queues without messages. */
export declare const DELETE_CLOSED: Statement<object>;
