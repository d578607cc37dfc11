import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { KeyIssuer } from '../../api-keys';
import { OrganizationDomains } from '../../identity-providers';
import { Accounts, type AccountState, GivenRoles, LastOwnerError } from '../../orgs';
import { ScimError } from '../record/scim.errors';
import { GroupRoles } from '../roles/group-roles';

/** A person of a directory, with what their account is known by. */
export interface Provisioned {
  readonly orgId: string;
  /** As the directory has them. */
  readonly id: string;
  /** Of the account. */
  readonly email: string;
  readonly name: string | null;
}

/** Accounts and memberships of the people of directories. Callers hold the lock of the organization. */
@Injectable()
export class Provisioning {
  constructor(
    private readonly accounts: Accounts,
    private readonly roles: GivenRoles,
    private readonly domains: OrganizationDomains,
    private readonly groupRoles: GroupRoles,
    private readonly keys: KeyIssuer,
  ) {}

  /**
   * The account with an address: a new one, which works in this organization alone until its address is proved, or one that the
   * organization may have as a member. Addresses of verified domains are for the organization to give that has verified them.
   * @returns its id
   * @throws ScimError for an account or an address of somebody else
   */
  async account(transaction: EntityManager, { orgId, email, name }: Provisioned): Promise<string> {
    const known = await this.accounts.findByEmail(transaction, email);
    const owner = await this.domains.ownerOfAddress(email, transaction);
    if (known !== null) {
      if (!(await this.isTheirs(transaction, { orgId, owner }, known))) throw notTheirsToGive();
      return known.id;
    }
    if (owner !== null && owner !== orgId) throw notTheirsToGive();
    const confined = owner === orgId ? {} : { confinedToOrgId: orgId };
    const made = await this.accounts.ensureUser(transaction, { email, name, ...confined });
    if (!made.created) throw notTheirsToGive();
    return made.userId;
  }

  /**
   * Makes a person a member, in the role of their groups; who is one already keeps their role.
   * @throws ScimError for who has become somebody else's since the directory told of them: they have to agree
   */
  async letIn(transaction: EntityManager, person: Provisioned, userId: string): Promise<void> {
    const { orgId, id, email } = person;
    if (await this.accounts.isMember(transaction, orgId, userId)) return;
    const known = await this.accounts.findById(transaction, userId);
    const owner = await this.domains.ownerOfAddress(email, transaction);
    if (known === null || !(await this.isTheirs(transaction, { orgId, owner }, known)))
      throw notTheirsToGive();
    await this.roles.give(transaction, { orgId, userId }, await this.groupRoles.of(transaction, orgId, id));
  }

  /**
   * Whether an organization may have an account as a member without asking. That its directory has told of the address says
   * nothing: it may tell of any, and before its owner has an account.
   * @param owner the organization that has verified the domain of the address
   */
  private async isTheirs(
    transaction: EntityManager,
    { orgId, owner }: { readonly orgId: string; readonly owner: string | null },
    { id, confinedToOrgId }: AccountState,
  ): Promise<boolean> {
    return (
      owner === orgId || confinedToOrgId === orgId || (await this.accounts.isMember(transaction, orgId, id))
    );
  }

  /**
   * Ends a membership and what goes with it: keys that are bound to the organization and, for who is in no other one, all keys,
   * with the sessions that began with them.
   * @throws ScimError for the last owner
   */
  async shutOut(transaction: EntityManager, orgId: string, userId: string): Promise<void> {
    let wasMember: boolean;
    try {
      wasMember = await this.accounts.removeMember(transaction, orgId, userId);
    } catch (error) {
      if (!(error instanceof LastOwnerError)) throw error;
      throw new ScimError(
        409,
        'mutability',
        'This is the last owner of the organization, which keeps one: make somebody else an owner first.',
      );
    }
    if (wasMember && !(await this.accounts.isMemberAnywhere(transaction, userId)))
      await this.keys.revoke(transaction, { userId });
  }

  /** Names the account, as long as nobody but the organization has had it. */
  async rename(transaction: EntityManager, { orgId, name }: Provisioned, userId: string): Promise<void> {
    await this.accounts.renameConfined(transaction, { orgId, userId, name });
  }
}

/** One answer, whether there is an account, so that nobody learns who has one from a domain that is not theirs. */
function notTheirsToGive(): ScimError {
  return new ScimError(
    409,
    'uniqueness',
    'The address is not for this organization to give: invite its person, who is taken over once they have accepted, or verify the domain.',
  );
}
