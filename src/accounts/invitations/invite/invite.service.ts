import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type Caller, type OrgContext, parseRole } from '../../../kernel/auth';
import { DomainEvents } from '../../../kernel/domain-events';
import { InvitationMailer } from '../email/invitation-mailer';
import { GrantableRoles } from '../record/grantable-roles';
import { toInvitationResponse } from '../record/invitation-record';
import { InvitationTokens } from '../record/invitation-tokens';
import { InvalidRoleError, RoleNotGrantableError } from '../record/invitations.errors';
import { InviteRateLimiter } from './invite-rate-limiter';
import { type AddressRow, selectBatch } from './inviter.read-model';
import { type Draft, writeInvitations, type WrittenRow } from './write-invitations.query';
import type { BatchInvitationResponse, InvitationCreate, InvitationFailure } from '../record/invite.dto';
import { emailAddressIn } from '../../../kernel/validation';

/** An address of a batch. */
interface InvitedAddress {
  /** As spelled in the request. */
  readonly spelling: string;
  /** The address to store, compare and mail. */
  readonly email: string;
  /** A duplicate of an earlier one in the batch. */
  readonly repeated: boolean;
}

const SENTENCES: Record<InvitationFailure['code'], string> = {
  already_member: 'This address belongs to a member of the organization already.',
  duplicate_in_batch: 'This address stands in the request more than once.',
  deprovisioned: 'The directory of the organization has switched this address off.',
};

/** The one spelling of an address that was found valid: without name and white space, in lower case. */
function canonicalEmail(spelling: string): string {
  return emailAddressIn(spelling).toLowerCase().normalize('NFC');
}

/** Reads the addresses of a batch, in its order. */
function invitedAddresses(spellings: readonly string[]): InvitedAddress[] {
  const seen = new Set<string>();
  return spellings.map((spelling) => {
    const email = canonicalEmail(spelling);
    const repeated = seen.has(email);
    seen.add(email);
    return { spelling, email, repeated };
  });
}

/** The addresses that are not invited and why, in the order of the request. */
function failuresAmong(
  addresses: readonly InvitedAddress[],
  known: readonly AddressRow[],
): InvitationFailure[] {
  const rows = new Map(known.map((row) => [row.email, row]));
  return addresses.flatMap(({ spelling, email, repeated }) => {
    if (repeated) return [failure(spelling, 'duplicate_in_batch')];
    const row = rows.get(email);
    if (row?.is_member === true) return [failure(spelling, 'already_member')];
    return row?.is_deprovisioned === true ? [failure(spelling, 'deprovisioned')] : [];
  });
}

function failure(email: string, code: InvitationFailure['code']): InvitationFailure {
  return { email, error: SENTENCES[code], code };
}

/** Invites many addresses at once (docs/contract.md#invite), in a handful of queries whatever their number. */
@Injectable()
export class InviteService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly grantable: GrantableRoles,
    private readonly rateLimiter: InviteRateLimiter,
    private readonly tokens: InvitationTokens,
    private readonly mailer: InvitationMailer,
    private readonly events: DomainEvents,
  ) {}

  /**
   * @param request its addresses are valid already
   * @returns what became of each address, and the headers that say what is left of the budget
   * @throws InvalidRoleError, RoleNotGrantableError, InvitationLimitError, UnknownOrganizationError
   */
  async invite(
    caller: Pick<Caller, 'userId'>,
    org: OrgContext,
    request: InvitationCreate,
  ): Promise<{ body: BatchInvitationResponse; headers: Record<string, string> }> {
    const role = parseRole(request.role);
    if (role === null) throw new InvalidRoleError();
    const addresses = invitedAddresses(request.emails);

    return this.database.transaction(async (transaction) => {
      const { inviterEmail } = await this.rateLimiter.lock(transaction, org.orgId, caller.userId);
      const emails = addresses.filter(({ repeated }) => !repeated).map(({ email }) => email);
      const membership = { orgId: org.orgId, userId: caller.userId };
      const grantable = await this.grantable.bySent(transaction, membership, org);
      if (!grantable.has(role)) throw new RoleNotGrantableError(role);
      const batch = await selectBatch(transaction, org.orgId, caller.userId, emails);
      const drafts = this.draftsOf(batch.addresses);
      const headers = this.rateLimiter.check(batch, drafts.length);
      const call = {
        orgId: org.orgId,
        inviterUserId: caller.userId,
        now: batch.now,
        mailStatus: this.mailer.configured ? ('queued' as const) : ('none' as const),
      };
      const rows = inOrderOf(drafts, await writeInvitations(transaction, call, role, drafts));
      await this.mailer.queue(transaction, rows);
      await this.publishCreated(transaction, call, rows);

      return {
        body: {
          successful: rows.map((row) =>
            toInvitationResponse(
              { ...row, inviter_email: inviterEmail },
              grantable,
              this.tokens.linkOf({ ...row, tokenDigest: row.token_digest }),
            ),
          ),
          failed: failuresAmong(addresses, batch.addresses),
          email_delivery_configured: this.mailer.configured,
        },
        headers,
      };
    });
  }

  /** An invitation that was pending and is renewed is not created. */
  private async publishCreated(
    transaction: EntityManager,
    { orgId, inviterUserId }: { readonly orgId: string; readonly inviterUserId: string },
    rows: readonly WrittenRow[],
  ): Promise<void> {
    const created = rows.filter(({ generation }) => generation === 1);
    await this.events.publish(
      transaction,
      ...created.map(({ id, role }) => ({
        kind: 'invitation.created' as const,
        org_id: orgId,
        invitation_id: id,
        role,
        inviter_user_id: inviterUserId,
      })),
    );
  }

  /** What is written for the addresses: nothing for those that are not invited. */
  private draftsOf(addresses: readonly AddressRow[]): Draft[] {
    return addresses.flatMap(({ id, email, generation }) =>
      id === null ? [] : [{ id, email, generation, tokenDigest: this.tokens.issue(id, generation).digest }],
    );
  }
}

function inOrderOf(drafts: readonly Draft[], rows: readonly WrittenRow[]): WrittenRow[] {
  const places = new Map(drafts.map(({ id }, place) => [id, place]));
  return [...rows].sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}
