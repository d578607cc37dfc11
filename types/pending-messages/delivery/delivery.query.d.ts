import { type ColumnsOf, PreparedStatement, Statement } from '../../database';
import type { PendingMessage } from '../record/pending-message.entity';
/** The columns of a message; all null where there is none. */
export type MessageColumns = Nullable<ColumnsOf<PendingMessage, 'id' | 'rank' | 'mode' | 'role' | 'content' | 'run' | 'markEventId'>>;
type Nullable<Columns> = {
    readonly [Name in keyof Columns]: Columns[Name] | null;
};
export type DeliveredColumns = MessageColumns & {
    readonly recorded: boolean;
    readonly released: boolean;
};
/** Marks a message ($3) that is still as it was read: rank $5, content $6, mode $7. */
export declare const MARK_SENDING: PreparedStatement<{
    readonly id: string;
}>;
/**
 * Records a delivery ($3) and marks the next message, if that is wanted ($5); it is taken only if it still is
 * where it was seen, with its current content, and not if it waits for the end of a run. Without a next one the lease ends, unless a message
 * or a wake-up has come that this statement does not see. The queue is locked before its messages, as by
 * everybody who changes both.
 */
export declare const RECORD_DELIVERY: PreparedStatement<DeliveredColumns>;
/** A message ($3) will never arrive, for a reason ($4). */
export declare const RECORD_FAILURE: Statement<{
    readonly id: string;
}>;
/** A message ($3) waits again, for a reason ($4). */
export declare const REQUEUE: Statement<object>;
/** Why a message ($3) is not delivered yet ($4). */
export declare const RECORD_REASON: Statement<object>;
/** Contents of the messages of a queue ($1) that were delivered, after any mark ($2) or after one ($3). */
export declare const DELIVERED_CONTENTS: Statement<{
    readonly content: string;
}>;
/** Fails all messages of the queue, for a reason ($3). */
export declare const FAIL_ALL: Statement<{
    readonly id: string;
}>;
/** Ends the lease, unless a message has come after a rank ($3) or a run was requested meanwhile. */
export declare const RELEASE: Statement<{
    readonly released: boolean;
}>;
/**
 * Ends the lease until a time: in $3 milliseconds, or after a pause that grows from $5 to $6 with each failure; $4 says
 * that the time applies even if a run was requested meanwhile.
 */
export declare const RELEASE_UNTIL: Statement<{
    readonly released: boolean;
    readonly next_attempt_at: Date | null;
}>;
/** Ends the lease of a run that was interrupted ($3) or failed; returns when the next one may begin. */
export declare const GIVE_UP: Statement<{
    readonly again_at: Date;
}>;
export {};
