import { type SqlRunner } from '../../database';
import { type UsageRow } from './invite-usage.query';
/** What a call that invites is checked against. */
export interface InviterRow extends UsageRow {
    /** The time of the call, to the millisecond, by the database's clock. */
    readonly now: Date;
    /** Null when they are no longer a member. */
    readonly inviter_role: string | null;
}
/** An address of a batch as the database knows it. */
export interface AddressRow {
    readonly email: string;
    readonly is_member: boolean;
    /** The pending invitation's, or a fresh one; null for a member. */
    readonly id: number | null;
    readonly generation: number;
}
/** What a call that invites a batch is checked against. */
export interface BatchRow extends InviterRow {
    readonly addresses: readonly AddressRow[];
}
/**
 * What a call with one address is checked against. By hand: role and usage as of the same time, in one
 * statement.
 */
export declare function selectInviter(transaction: SqlRunner, orgId: string, inviterId: string): Promise<InviterRow>;
/**
 * What a batch is checked against, with fresh ids for new invitations. By hand: one statement whatever the
 * number of addresses.
 */
export declare function selectBatch(transaction: SqlRunner, orgId: string, inviterId: string, emails: readonly string[]): Promise<BatchRow>;
