import { Statement } from '../../database';
/** Stores a ticket: digest, key, session, subject, and for how many seconds it works. */
export declare const ADD_TICKET: Statement<{
    readonly expires_at: Date;
}>;
/** A ticket that was taken. */
export interface TakenTicket {
    readonly api_key_id: number;
    readonly session_id: number | null;
    readonly subject: string;
    readonly works: boolean;
}
/** Takes the ticket of a digest ($1). */
export declare const TAKE_TICKET: Statement<TakenTicket>;
/** Deletes tickets that nobody used. */
export declare const DELETE_EXPIRED_TICKETS: Statement<object>;
