import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type Caller, type OrgContext, parseRole, type Role } from '../../auth';
import { mayGrant } from '../record/grantable-roles';
import { InvitationMail } from '../email/invitation-mail';
import { type InvitationRow, toInvitationResponse } from '../record/invitation-record';
import { InvitationTokens } from '../record/invitation-tokens';
import { InvalidRoleError, RoleNotGrantableError } from '../record/invitations.errors';
import { InviteRateLimiter, USAGE_COLUMNS, type UsageRow } from './invite-rate-limiter';
import type { BatchInvitationResponse, InvitationCreate } from '../record/invite.dto';
import { failuresAmong, invitedAddresses } from './invited-addresses';

/** How long an invitation can be accepted, as SQL. */
export const LIFETIME = `interval '7 days'`;

/** An address of the batch as the database knows it. */
interface AddressRow {
  readonly email: string;
  readonly is_member: boolean;
  /** The pending invitation's, or a fresh one; null for a member. */
  readonly id: number | null;
  readonly generation: number;
}

interface BatchRow extends UsageRow {
  readonly now: Date;
  readonly inviter_role: string | null;
  readonly addresses: readonly AddressRow[];
}

/** An invitation to be written: new, or the next generation of a pending one. */
interface Draft {
  readonly id: number;
  readonly email: string;
  readonly generation: number;
}

/**
 * Invites many addresses at once (docs/contract.md#invite), in a handful of queries whatever their number.
 */
@Injectable()
export class InviteService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly ledger: InviteRateLimiter,
    private readonly tokens: InvitationTokens,
    private readonly mail: InvitationMail,
  ) {}

  /**
   * @param request its addresses are valid already
   * @returns what became of each address, and the headers that tell what is left of the budget
   * @throws InvalidRoleError, RoleNotGrantableError, InvitationLimitError, UnknownOrganizationError
   */
  async invite(
    caller: Caller,
    org: OrgContext,
    request: InvitationCreate,
  ): Promise<{ answer: BatchInvitationResponse; headers: Record<string, string> }> {
    const role = parseRole(request.role);
    if (role === null) throw new InvalidRoleError();
    if (!mayGrant(org.role, role)) throw new RoleNotGrantableError(role);
    const addresses = invitedAddresses(request.emails);

    return this.database.transaction(async (transaction) => {
      const { inviterEmail } = await this.ledger.lock(transaction, org.orgId, caller.userId);
      const emails = addresses.filter(({ repeated }) => !repeated).map(({ email }) => email);
      const batch = await this.read(transaction, org.orgId, caller.userId, emails);
      const inviterRole = parseRole(batch.inviter_role ?? '');
      if (inviterRole === null || !mayGrant(inviterRole, role)) throw new RoleNotGrantableError(role);

      const drafts = batch.addresses.flatMap(({ id, email, generation }) =>
        id === null ? [] : [{ id, email, generation }],
      );
      const headers = this.ledger.check(batch, drafts.length);
      const rows = await this.write(transaction, org.orgId, caller.userId, role, batch.now, drafts);
      await this.mail.queue(transaction, rows);

      const members = new Set(batch.addresses.filter((row) => row.is_member).map(({ email }) => email));
      return {
        answer: {
          successful: rows.map((row) =>
            toInvitationResponse(
              { ...row, inviter_email: inviterEmail },
              inviterRole,
              this.tokens.linkOf({ ...row, tokenDigest: row.token_digest }),
            ),
          ),
          failed: failuresAmong(addresses, members),
          email_delivery_configured: this.mail.configured,
        },
        headers,
      };
    });
  }

  private async read(
    transaction: EntityManager,
    orgId: string,
    inviterId: string,
    emails: readonly string[],
  ): Promise<BatchRow> {
    const [row] = await transaction.query<[BatchRow]>(
      `SELECT m.now,
              (SELECT role FROM org_members WHERE org_id = $1 AND user_id = $2) AS inviter_role,
              ${USAGE_COLUMNS},
              (SELECT json_agg(json_build_object(
                        'email', a.email, 'is_member', a.is_member,
                        'id', CASE WHEN NOT a.is_member
                                   THEN coalesce(a.id, nextval(pg_get_serial_sequence('invitations', 'id'))) END,
                        'generation', coalesce(a.generation, 0) + 1) ORDER BY a.place)
                 FROM (SELECT e.email, e.place, i.id, i.generation,
                              EXISTS (SELECT FROM users u JOIN org_members o ON o.user_id = u.id
                                       WHERE o.org_id = $1 AND u.email = e.email) AS is_member
                         FROM unnest($3::text[]) WITH ORDINALITY AS e (email, place)
                         LEFT JOIN invitations i
                           ON i.org_id = $1 AND i.email = e.email AND i.status = 'pending') a) AS addresses
         FROM (SELECT clock_timestamp()::timestamptz(3) AS now) m`,
      [orgId, inviterId, emails],
    );
    return row;
  }

  /** Writes the drafts and notes the call; a pending invitation is renewed in place. */
  private async write(
    transaction: EntityManager,
    orgId: string,
    inviterId: string,
    role: Role,
    now: Date,
    drafts: readonly Draft[],
  ): Promise<Omit<InvitationRow, 'inviter_email'>[]> {
    const rows = await transaction.query<Omit<InvitationRow, 'inviter_email'>[]>(
      `WITH noted AS (
         INSERT INTO invitation_calls (org_id, inviter_user_id, addresses, called_at)
         VALUES ($1, $2, cardinality($5::int[]), $4)
       )
       INSERT INTO invitations AS i (org_id, inviter_user_id, role, created_at, expires_at, mail_status,
                                     id, email, generation, token_digest)
       SELECT $1, $2, $3, $4, $4::timestamptz + ${LIFETIME}, $9, d.*
         FROM unnest($5::int[], $6::text[], $7::int[], $8::text[]) AS d
       ON CONFLICT (org_id, email) WHERE status = 'pending' DO UPDATE
         SET inviter_user_id = excluded.inviter_user_id, role = excluded.role, expires_at = excluded.expires_at,
             generation = excluded.generation, token_digest = excluded.token_digest,
             mail_status = excluded.mail_status, mail_detail = NULL
       RETURNING i.id, i.email, i.role, i.status, i.generation, i.token_digest, i.created_at, i.expires_at,
                 false AS expired, i.mail_status, i.mail_detail`,
      [
        orgId,
        inviterId,
        role,
        now,
        drafts.map(({ id }) => id),
        drafts.map(({ email }) => email),
        drafts.map(({ generation }) => generation),
        drafts.map(({ id, generation }) => this.tokens.issue(id, generation).digest),
        this.mail.configured ? 'queued' : 'none',
      ],
    );
    const places = new Map(drafts.map(({ id }, place) => [id, place]));
    return rows.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
  }
}
