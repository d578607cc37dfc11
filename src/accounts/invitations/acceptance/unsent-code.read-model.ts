import { type ColumnsOf, queryRow, type SqlRunner } from '../../../kernel/database';
import type { InvitationCode } from '../record/invitation.entity';

/** A code that is still to be sent, and the organization it lets join. */
type UnsentCodeRow = ColumnsOf<InvitationCode, 'email'> & { readonly org_name: string };

/** By hand: code, invitation and organization in one statement, and expiry by the database's clock. */
export function selectUnsentCode(database: SqlRunner, id: string): Promise<UnsentCodeRow | null> {
  return queryRow(
    database,
    `SELECT c.email, o.name AS org_name
       FROM invitation_codes c JOIN invitations i ON i.id = c.invitation_id JOIN organizations o ON o.id = i.org_id
      WHERE c.id = $1 AND c.sent_at IS NULL AND c.expires_at > clock_timestamp()`,
    [id],
  );
}
