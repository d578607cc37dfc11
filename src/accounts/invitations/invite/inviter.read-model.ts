import { queryRows, type SqlRunner } from '../../../kernel/database';
import { USAGE_COLUMNS, type UsageRow } from './invite-usage.query';

/** What a call that invites is checked against. */
interface InviterRow extends UsageRow {
  /** The time of the call, to the millisecond, by the database's clock. */
  readonly now: Date;
}

/** An address of a batch as the database knows it. */
export interface AddressRow {
  readonly email: string;
  readonly is_member: boolean;
  /** Whether the organization's directory has switched the address off. */
  readonly is_deprovisioned: boolean;
  /** The pending invitation's, or a fresh one; null for an address that is not invited. */
  readonly id: number | null;
  readonly generation: number;
}

/** What a call that invites a batch is checked against. */
export interface BatchRow extends InviterRow {
  readonly addresses: readonly AddressRow[];
}

const INVITER_COLUMNS = `m.now, ${USAGE_COLUMNS}`;
const NOW = '(SELECT clock_timestamp()::timestamptz(3) AS now) m';

/**
 * What a call with one address is checked against. By hand: all usage as of the same time, in one
 * statement.
 */
export async function selectInviter(
  transaction: SqlRunner,
  orgId: string,
  inviterId: string,
): Promise<InviterRow> {
  const rows = await queryRows<InviterRow>(transaction, `SELECT ${INVITER_COLUMNS} FROM ${NOW}`, [
    orgId,
    inviterId,
  ]);
  return only(rows);
}

/**
 * What a batch is checked against, with fresh ids for new invitations. By hand: one statement whatever the
 * number of addresses.
 */
export async function selectBatch(
  transaction: SqlRunner,
  orgId: string,
  inviterId: string,
  emails: readonly string[],
): Promise<BatchRow> {
  const rows = await queryRows<BatchRow>(
    transaction,
    `SELECT ${INVITER_COLUMNS},
            (SELECT json_agg(json_build_object(
                      'email', a.email, 'is_member', a.is_member, 'is_deprovisioned', a.is_deprovisioned,
                      'id', CASE WHEN NOT a.is_member AND NOT a.is_deprovisioned
                                 THEN coalesce(a.id, nextval(pg_get_serial_sequence('invitations', 'id'))) END,
                      'generation', coalesce(a.generation, 0) + 1) ORDER BY a.place)
               FROM (SELECT e.email, e.place, i.id, i.generation,
                            EXISTS (SELECT FROM users u JOIN org_members o ON o.user_id = u.id
                                     WHERE o.org_id = $1 AND u.email = e.email) AS is_member,
                            EXISTS (SELECT FROM scim_users s
                                     WHERE s.org_id = $1 AND s.email = e.email AND NOT s.active)
                              AND EXISTS (SELECT FROM scim_tokens t WHERE t.org_id = $1) AS is_deprovisioned
                       FROM unnest($3::text[]) WITH ORDINALITY AS e (email, place)
                       LEFT JOIN invitations i
                         ON i.org_id = $1 AND i.email = e.email AND i.status = 'pending') a) AS addresses
       FROM ${NOW}`,
    [orgId, inviterId, emails],
  );
  return only(rows);
}

function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A statement without a condition answers a row.');
  return row;
}
