import { Statement } from '../../../database';
/** An endpoint ($1) has failed, for the first time since it last succeeded. */
export declare const FAILING: Statement<object>;
/** An endpoint ($1) has succeeded. */
export declare const SUCCEEDING: Statement<object>;
/** Whether an endpoint ($1) has succeeded since it began to fail: two callbacks may have ended at the same time. */
export declare const HAS_SUCCEEDED_SINCE: Statement<object>;
