import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Caller, type OrgContext, outranks, parseRole, type Role, toGive } from '../../../kernel/auth';
import { parseUuid } from '../../../kernel/common';
import { GivenRoles, LockedStandings, OwnRoles, RankTooLowError } from '../../orgs';
import { GroupRoleInvalidError } from '../record/scim.errors';

/** One of the three roles, or one of the organization's own with its rank. */
export interface GroupRole {
  readonly role: Role;
  readonly ownRoleId: string | null;
}

/** The roles that somebody may give to groups. */
@Injectable()
export class GrantableGroupRoles {
  constructor(
    private readonly given: GivenRoles,
    private readonly ownRoles: OwnRoles,
    private readonly standings: LockedStandings,
  ) {}

  /**
   * A role by its name or id. Its rank alone would let whoever has an own role, which ranks as member, give any of the others:
   * the caller must have all that it permits, too, and so must what they sent.
   * @throws GroupRoleInvalidError, NotAMemberError, RankTooLowError, RoleNotHeldError
   */
  async named(
    transaction: EntityManager,
    org: OrgContext,
    caller: Pick<Caller, 'userId'>,
    text: string,
  ): Promise<GroupRole> {
    const { orgId } = org;
    const wanted = await this.known(transaction, orgId, text);
    const actor = await this.standings.of(transaction, orgId, caller);
    if (outranks(wanted.role, actor.role)) throw new RankTooLowError();
    await this.ownRoles.assertGrantable(transaction, orgId, toGive(actor, org), wanted);
    return wanted;
  }

  private async known(transaction: EntityManager, orgId: string, text: string): Promise<GroupRole> {
    const role = parseRole(text);
    if (role !== null) return { role, ownRoleId: null };
    const ownRoleId = parseUuid(text);
    const [known] = ownRoleId === null ? [] : await this.given.known(transaction, orgId, [ownRoleId]);
    if (known === undefined) throw new GroupRoleInvalidError();
    return { role: 'member', ownRoleId: known };
  }
}
