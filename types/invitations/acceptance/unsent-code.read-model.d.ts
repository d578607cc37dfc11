import { type ColumnsOf, type SqlRunner } from '../../database';
import type { InvitationCode } from '../record/invitation.entity';
/** A code that is still to be sent, and the organization it lets join. */
export type UnsentCodeRow = ColumnsOf<InvitationCode, 'email'> & {
    readonly org_name: string;
};
/** By hand: code, invitation and organization in one statement, and expiry by the database's clock. */
export declare function selectUnsentCode(database: SqlRunner, id: string): Promise<UnsentCodeRow | null>;
