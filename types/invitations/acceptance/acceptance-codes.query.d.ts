import { type ColumnsOf, type SqlRunner } from '../../database';
import type { InvitationCode } from '../record/invitation.entity';
/** The codes that were sent to an address within a window of time. */
export interface SentCodes {
    readonly count: number;
    /** Seconds until the oldest leaves the window; null when there is none. */
    readonly wait: number | null;
}
/** Counts the codes sent to an address. By hand: amount and wait by the database's clock, in one statement. */
export declare function countSentCodes(transaction: SqlRunner, email: string, windowSeconds: number): Promise<SentCodes>;
/**
 * Counts a try to enter the code that was sent last. By hand: the code is found, checked and counted in one
 * statement, so that concurrent tries are not more than there may be.
 * @returns null when no code can be tried any more
 */
export declare function countTry(database: SqlRunner, invitation: Pick<InvitationCode, 'invitationId' | 'generation'>, maxTries: number): Promise<ColumnsOf<InvitationCode, 'id' | 'digest' | 'tries'> | null>;
