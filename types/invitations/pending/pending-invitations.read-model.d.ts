import { type SqlRunner } from '../../database';
import { type InvitationRow } from '../record/invitation-record';
/**
 * The invitations of an organization that can be accepted now, newest first.
 * @param from id of the first one of the page; null for the newest
 */
export declare function selectPending(database: SqlRunner, orgId: string, from: number | null, limit: number): Promise<InvitationRow[]>;
/** An invitation of an organization, whatever its state. */
export declare function selectInvitation(database: SqlRunner, orgId: string, id: number): Promise<InvitationRow | null>;
