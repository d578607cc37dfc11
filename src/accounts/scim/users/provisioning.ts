import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { KeyIssuer } from '../../api-keys';
import { OrganizationDomains } from '../../identity-providers';
import { Accounts, GivenRoles, LastOwnerError } from '../../orgs';
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
   * organization may have as a member. Addresses of its verified domains are its own to give.
   * @param wasProvisioned whether the directory has had the address before
   * @returns its id
   * @throws ScimError for an account of somebody else
   */
  async account(
    transaction: EntityManager,
    { orgId, email, name }: Provisioned,
    wasProvisioned: boolean,
  ): Promise<string> {
    const known = await this.accounts.findByEmail(transaction, email);
    const isOwnDomain = (await this.domains.ownerOfAddress(email, transaction)) === orgId;
    if (known === null) {
      const confined = isOwnDomain ? {} : { confinedToOrgId: orgId };
      const made = await this.accounts.ensureUser(transaction, { email, name, ...confined });
      if (made.created) return made.userId;
    } else if (
      isOwnDomain ||
      wasProvisioned ||
      known.confinedToOrgId === orgId ||
      (await this.accounts.isMember(transaction, orgId, known.id))
    )
      return known.id;
    throw new ScimError(
      409,
      'uniqueness',
      'The address belongs to somebody who is no member of the organization: invite them, and they are taken over once they have accepted.',
    );
  }

  /** Makes a person a member, in the role of their groups; who is one already keeps their role. */
  async letIn(transaction: EntityManager, person: Provisioned, userId: string): Promise<void> {
    const { orgId, id } = person;
    if (await this.accounts.isMember(transaction, orgId, userId)) return;
    await this.roles.give(transaction, { orgId, userId }, await this.groupRoles.of(transaction, orgId, id));
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
