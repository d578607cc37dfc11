import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import {
  AuthCaches,
  type Caller,
  type OrgContext,
  parseRole,
  PermissionTable,
  type Standing,
  toGive,
} from '../../../kernel/auth';
import { Clock, newId, parseUuid, storableText } from '../../../kernel/common';
import { isUniqueViolation } from '../../../kernel/database';
import { DomainEvents } from '../../../kernel/domain-events';
import { LockedStandings } from '../standings/locked-standings';
import type { GivenRole } from '../accounts/role-changes';
import { OwnRoleError } from '../organizations/orgs.errors';
import { OrgMember } from '../record/org-member.entity';
import { OrgRole } from '../record/org-role.entity';
import { checkedPermissions, requireHeld } from './role-permissions';
import type { OrgRoleList, OrgRoleResponse, RoleCreate, RoleUpdate } from './roles.dto';
import { RoleInUseError, RoleNameTakenError, RoleNotFoundError, TooManyRolesError } from './roles.errors';

/** How many roles of its own an organization may have. */
export const MAX_ROLES = 50;

/** Who changes roles. */
type Changing = Pick<Caller, 'userId'>;

/**
 * Roles that organizations make of permissions (docs/roles.md). Every change is made under the lock of the organization, as those
 * of its members are: who changes a role, or gives it, has at that moment all that it permits.
 */
@Injectable()
export class OwnRoles {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @InjectRepository(OrgRole) private readonly roles: Repository<OrgRole>,
    private readonly standings: LockedStandings,
    private readonly table: PermissionTable,
    private readonly events: DomainEvents,
    private readonly caches: AuthCaches,
    private readonly clock: Clock,
  ) {}

  /** All of them, by name. */
  async list({ orgId }: OrgContext): Promise<OrgRoleList> {
    const roles = await this.roles.find({ where: { orgId }, order: { name: 'ASC', id: 'ASC' } });
    return { items: roles.map((role) => this.toResponse(role)) };
  }

  /** @throws ValidationError, RoleNameTakenError, RoleNotHeldError, TooManyRolesError, NotAMemberError */
  async create(caller: Changing, org: OrgContext, body: RoleCreate): Promise<OrgRoleResponse> {
    const { orgId } = org;
    const permissions = checkedPermissions(this.table, 'permissions', body.permissions);
    const role = this.roles.create({ id: newId(), orgId, name: checkedName(body.name), permissions });
    await this.database.transaction(async (transaction) => {
      requireHeld(toGive(await this.standings.of(transaction, orgId, caller), org), permissions);
      const repository = transaction.withRepository(this.roles);
      if ((await repository.countBy({ orgId })) >= MAX_ROLES) throw new TooManyRolesError(MAX_ROLES);
      await namedOnce(repository.insert(role));
      await this.events.publish(transaction, {
        kind: 'role.created',
        org_id: orgId,
        role_id: role.id,
        user_id: caller.userId,
      });
    });
    return this.toResponse(role);
  }

  /**
   * Changes what is present in the body; what members with the role may do changes at once.
   * @throws ValidationError, RoleNotFoundError, OwnRoleError, RoleNotHeldError, RoleNameTakenError, NotAMemberError
   */
  async update(
    caller: Changing,
    org: OrgContext,
    id: string,
    { name, permissions }: RoleUpdate,
  ): Promise<OrgRoleResponse> {
    const { orgId } = org;
    const wanted = {
      ...(name !== undefined && { name: checkedName(name) }),
      ...(permissions !== undefined && {
        permissions: checkedPermissions(this.table, 'permissions', permissions),
      }),
    };
    const changed = await this.database.transaction(async (transaction) => {
      const { actor, role } = await this.changeable(transaction, orgId, caller, id);
      requireHeld(toGive(actor, org), wanted.permissions ?? []);
      const fields = [
        ...(wanted.name !== undefined && wanted.name !== role.name ? ['name'] : []),
        ...(wanted.permissions !== undefined && !isSame(wanted.permissions, role.permissions)
          ? ['permissions']
          : []),
      ];
      if (fields.length === 0) return role;
      const now = { ...wanted, updatedAt: this.clock.now() };
      await namedOnce(transaction.withRepository(this.roles).update({ id: role.id }, now));
      await this.events.publish(transaction, {
        kind: 'role.updated',
        org_id: orgId,
        role_id: role.id,
        user_id: caller.userId,
        fields,
      });
      return Object.assign(role, now);
    });
    this.caches.clear();
    return this.toResponse(changed);
  }

  /** @throws RoleNotFoundError, OwnRoleError, RoleNotHeldError, RoleInUseError, NotAMemberError */
  async delete(caller: Changing, { orgId }: OrgContext, id: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const { role } = await this.changeable(transaction, orgId, caller, id);
      if (await transaction.getRepository(OrgMember).existsBy({ ownRoleId: role.id }))
        throw new RoleInUseError();
      await transaction.withRepository(this.roles).delete({ id: role.id });
      await this.events.publish(transaction, {
        kind: 'role.deleted',
        org_id: orgId,
        role_id: role.id,
        user_id: caller.userId,
      });
    });
  }

  /**
   * A role that somebody may give, or change.
   * @param actor what they may do, read under the lock of the organization
   * @param id null for none of the organization's own, which anybody may
   * @throws RoleNotFoundError, RoleNotHeldError
   */
  async ofId(
    transaction: EntityManager,
    orgId: string,
    actor: Standing,
    id: string | null,
  ): Promise<OrgRole | null> {
    return id === null ? null : this.assignable(transaction, orgId, actor, id);
  }

  /**
   * Asserts that somebody may give a role, of the three or of the organization's own.
   * @throws RoleNotFoundError, RoleNotHeldError
   */
  async assertGrantable(
    transaction: EntityManager,
    orgId: string,
    actor: Standing,
    { role, ownRoleId }: GivenRole,
  ): Promise<void> {
    if ((await this.ofId(transaction, orgId, actor, ownRoleId)) === null)
      requireHeld(actor, this.table.of(role));
  }

  /** The members who have a role. */
  async holdersOf(transaction: EntityManager, roleId: string): Promise<string[]> {
    const holders = await transaction
      .getRepository(OrgMember)
      .find({ where: { ownRoleId: roleId }, select: { orgId: true, userId: true } });
    return holders.map(({ userId }) => userId);
  }

  private async changeable(
    transaction: EntityManager,
    orgId: string,
    caller: Changing,
    id: string,
  ): Promise<{ actor: Standing; role: OrgRole }> {
    const actor = await this.standings.of(transaction, orgId, caller);
    const role = await this.assignable(transaction, orgId, actor, id);
    const own = { orgId, userId: caller.userId, ownRoleId: role.id };
    if (await transaction.getRepository(OrgMember).existsBy(own)) throw new OwnRoleError();
    return { actor, role };
  }

  private async assignable(
    transaction: EntityManager,
    orgId: string,
    actor: Standing,
    id: string,
  ): Promise<OrgRole> {
    const role = await this.find(transaction, orgId, id);
    requireHeld(actor, this.table.known(role.permissions));
    return role;
  }

  private async find(transaction: EntityManager, orgId: string, text: string): Promise<OrgRole> {
    const id = parseUuid(text);
    const role = id === null ? null : await transaction.withRepository(this.roles).findOneBy({ orgId, id });
    if (role === null) throw new RoleNotFoundError();
    return role;
  }

  private toResponse(role: OrgRole): OrgRoleResponse {
    return {
      id: role.id,
      name: role.name,
      permissions: this.table.known(role.permissions),
      created_at: role.createdAt.toISOString(),
      updated_at: role.updatedAt.toISOString(),
    };
  }
}

/** @throws RoleNameTakenError for one of the three roles that all have */
function checkedName(text: string): string {
  const name = storableText(text);
  if (parseRole(name) !== null) throw new RoleNameTakenError();
  return name;
}

/** @throws RoleNameTakenError */
function namedOnce(write: Promise<unknown>): Promise<unknown> {
  return write.catch((error: unknown) => {
    throw isUniqueViolation(error, 'org_roles_name_key') ? new RoleNameTakenError() : error;
  });
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}
