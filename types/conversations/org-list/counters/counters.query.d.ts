import { Statement } from '../../../database';
/** Adds at most so many recorded changes ($1) to the counters of conversations. */
export declare const FOLD_CONVERSATION_COUNTS: Statement<{
    readonly folded: number;
}>;
/** Adds all recorded changes to the counters of sandboxes. */
export declare const FOLD_SANDBOX_COUNTS: Statement<object>;
/** Recounts all conversations. */
export declare const REBUILD_CONVERSATION_COUNTS: Statement<{
    readonly total: number;
}>;
/** Recounts all sandboxes. */
export declare const REBUILD_SANDBOX_COUNTS: Statement<object>;
/** Keeps folds and other rebuilds away until {@link UNLOCK_COUNTS}, or the end of the connection. */
export declare const LOCK_COUNTS: Statement<object>;
export declare const UNLOCK_COUNTS: Statement<object>;
