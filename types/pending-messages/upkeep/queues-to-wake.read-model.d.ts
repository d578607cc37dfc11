import { Statement } from '../../database';
/** Locks the queues of the conversations in a sandbox ($1), empty ones too. */
export declare const LOCK_QUEUES_OF_SANDBOX: Statement<{
    readonly id: string;
}>;
/** The conversations in a sandbox ($1), deleted ones too. */
export declare const CONVERSATIONS_OF_SANDBOX: Statement<{
    readonly id: string;
}>;
/** The queues of a user ($2) in an organization ($1) that have messages. */
export declare const QUEUES_OF_MEMBER: Statement<{
    readonly id: string;
}>;
