import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { KeyIssuer } from '../../api-keys';
import { Accounts, AssignedRoles, LastOwnerError } from '../../orgs';
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
    private readonly assigned: AssignedRoles,
    private readonly groupRoles: GroupRoles,
    private readonly keys: KeyIssuer,
  ) {}

  /**
   * The account with an address: a new one, which works in this organization alone until its address is proved, or one that the
   * organization may have as a member.
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
    if (known === null) {
      const made = await this.accounts.ensureUser(transaction, { email, name, confinedToOrgId: orgId });
      if (made.created) return made.userId;
    } else if (
      wasProvisioned ||
      known.confinedToOrgId === orgId ||
      (await this.mayTakeOver(transaction, orgId, known.id))
    )
      return known.id;
    throw new ScimError(
      409,
      'uniqueness',
      'The address belongs to somebody who is no member of the organization: invite them, and they are taken over once they have accepted.',
    );
  }

  /** Whether the directory of an organization may have somebody whom it did not make as one of its people. */
  private mayTakeOver(transaction: EntityManager, orgId: string, userId: string): Promise<boolean> {
    return this.accounts.isMember(transaction, orgId, userId);
  }

  /** Makes a person a member, in the role of their groups; who is one already keeps their role. */
  async letIn(transaction: EntityManager, person: Provisioned, userId: string): Promise<void> {
    const role = await this.groupRoles.of(transaction, person.orgId, person.id);
    const added = await this.accounts.addMember(transaction, person.orgId, userId, role.role);
    if (added && role.ownRoleId !== null)
      await this.assigned.assign(transaction, person.orgId, new Map([[userId, role]]));
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
