import { Statement } from '../../database';
/**
 * Adds deliveries in their order: ids ($1), endpoints ($2), lanes ($3), types ($4), the agent's kinds ($5), conversations ($6),
 * data ($7) and times ($8). Nobody has to wait for a lane: one that is busy or paused stays so.
 */
export declare const ADD_DELIVERIES: Statement<object>;
/**
 * Puts completed deliveries ($2) of an endpoint ($1) at the end of their lanes, to be sent again; in the order in which
 * they were made.
 */
export declare const REPLAY_DELIVERIES: Statement<{
    readonly id: string;
}>;
/** Takes all lanes of an endpoint ($1) from whoever has them. */
export declare const DROP_LANES: Statement<object>;
/** What is pending at an endpoint ($1) fails, for a reason ($2), at most so much ($3). */
export declare const FAIL_PENDING: Statement<{
    readonly id: string;
}>;
/** Deletes deliveries of an endpoint ($1), at most so many ($2), with their attempts. */
export declare const DELETE_SOME: Statement<{
    readonly id: string;
}>;
/** Disables an endpoint ($1) for a reason ($2), unless it is. */
export declare const DISABLE: Statement<{
    readonly org_id: string;
}>;
/** Locks an endpoint ($1) that is disabled: nobody enables it before the transaction ends. */
export declare const LOCK_DISABLED: Statement<object>;
/** Endpoints that are disabled and have something pending: more than is given up at once, or added at that moment. */
export declare const DISABLED_WITH_PENDING: Statement<{
    readonly id: string;
}>;
