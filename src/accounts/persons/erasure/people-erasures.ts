import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type Caller, type OrgContext, outranks, SignedInByLinkError } from '../../../kernel/auth';
import { parseUuid } from '../../../kernel/common';
import { AccountErasure, MemberNotFoundError, RankTooLowError, ServiceAccountError } from '../../orgs';
import type { Erasure } from './erasure.entity';
import { type ErasurePreview, Erasures } from './erasures';
import type { ErasureQuery, ErasureResponse, OwnErasureRequest } from './erasures.dto';
import { AlreadyErasedError, ConfirmationError, OwnErasureError } from './erasures.errors';

/** Erasures that people ask for: of themselves, and owners of members (docs/personal-data.md#erasure). */
@Injectable()
export class PeopleErasures {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly erasures: Erasures,
    private readonly accounts: AccountErasure,
  ) {}

  /** How the caller's own erasure stands. */
  async own(caller: Caller): Promise<ErasureResponse> {
    const aim = aimOf(caller);
    return toResponse(aim, await this.erasures.last(aim));
  }

  /**
   * Erases the caller; with what is bound to one organization, only there.
   * @throws ServiceAccountError, SignedInByLinkError, ConfirmationError; those of {@link Erasures.ask}
   */
  async askOwn(
    caller: Caller,
    query: ErasureQuery,
    { confirmation }: OwnErasureRequest,
  ): Promise<ErasureResponse> {
    if (caller.madeBy !== undefined || caller.email === null) throw new ServiceAccountError();
    if (caller.letInBy !== null) throw new SignedInByLinkError();
    if (confirmation.trim().toLowerCase() !== caller.email) throw new ConfirmationError();
    const aim = aimOf(caller);
    if (query.dry_run) return toPreview(await this.erasures.preview(aim));
    const by = { askedBy: 'self', askedByUserId: caller.userId } as const;
    return toResponse(aim, await this.erasures.ask({ ...aim, ...by, whenLifted: query.when === 'lifted' }));
  }

  /** How the erasure of a member stands, or of a former one. @throws MemberNotFoundError */
  async ofMember({ orgId }: OrgContext, user: string): Promise<ErasureResponse> {
    const aim = { userId: parseUuid(user) ?? '', orgId };
    const known = aim.userId === '' ? null : await this.accounts.roleIn(this.database.manager, aim);
    const last = aim.userId === '' ? null : await this.erasures.last(aim);
    if (known === null && last?.orgId !== orgId) throw new MemberNotFoundError();
    return toResponse(aim, last);
  }

  /**
   * Erases what a member has in an organization, and their account where they are in no other.
   * @throws MemberNotFoundError, OwnErasureError, RankTooLowError, ServiceAccountError; those of {@link Erasures.ask}
   */
  async askForMember(
    caller: Caller,
    { orgId, role }: OrgContext,
    user: string,
    query: ErasureQuery,
  ): Promise<ErasureResponse> {
    const userId = parseUuid(user);
    if (userId === null) throw new MemberNotFoundError();
    if (userId === caller.userId) throw new OwnErasureError();
    const aim = { userId, orgId };
    const member = await this.accounts.roleIn(this.database.manager, aim);
    if (member === null) {
      const last = await this.erasures.last(aim);
      throw last?.orgId === orgId && last.state === 'done'
        ? new AlreadyErasedError()
        : new MemberNotFoundError();
    }
    if (role !== 'owner' && !outranks(role, member.role)) throw new RankTooLowError();
    if (member.kind === 'service_account') throw new ServiceAccountError();
    if (query.dry_run) return toPreview(await this.erasures.preview(aim));
    const by = { askedBy: 'owner', askedByUserId: caller.userId } as const;
    return toResponse(aim, await this.erasures.ask({ ...aim, ...by, whenLifted: query.when === 'lifted' }));
  }
}

function aimOf({ userId, boundOrgId }: Caller): { userId: string; orgId: string | null } {
  return { userId, orgId: boundOrgId };
}

const NONE = {
  state: 'none',
  of_account: false,
  counts: {},
  obstacle: null,
  asked_at: null,
  finished_at: null,
} as const;

function toResponse(
  { userId, orgId }: { userId: string; orgId: string | null },
  erasure: Erasure | null,
): ErasureResponse {
  if (erasure === null) return { ...NONE, user_id: userId, org_id: orgId };
  return {
    state: erasure.state,
    user_id: erasure.userId,
    org_id: erasure.orgId,
    of_account: erasure.ofAccount,
    obstacle: null,
    counts: erasure.counts,
    asked_at: erasure.createdAt.toISOString(),
    finished_at: erasure.finishedAt?.toISOString() ?? null,
  };
}

/** What an erasure would do. */
export function toPreview({ userId, orgId, ofAccount, counts, obstacle }: ErasurePreview): ErasureResponse {
  return {
    ...NONE,
    state: 'preview',
    user_id: userId,
    org_id: orgId,
    of_account: ofAccount,
    counts: { ...counts },
    obstacle,
  };
}
