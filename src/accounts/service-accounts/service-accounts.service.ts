import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import {
  AuthCaches,
  type Caller,
  ofServiceAccount,
  type OrgContext,
  PermissionTable,
  type Standing,
  toGive,
} from '../../kernel/auth';
import { parseUuid, storableText } from '../../kernel/common';
import { type DomainEventOf, DomainEvents, OnDomainEvent } from '../../kernel/domain-events';
import {
  Accounts,
  isSameRole,
  LockedStandings,
  MemberNotFoundError,
  OwnRoles,
  requireHeld,
  type WantedRole,
  wantedRole,
} from '../orgs';
import { ServiceAccount } from './service-account.entity';
import type {
  ServiceAccountCreate,
  ServiceAccountList,
  ServiceAccountResponse,
  ServiceAccountUpdate,
} from './service-accounts.dto';
import {
  RoleNotForServiceAccountError,
  ServiceAccountNotFoundError,
  TooManyServiceAccountsError,
} from './service-accounts.errors';
import {
  selectServiceAccount,
  selectServiceAccounts,
  type ServiceAccountRow,
} from './service-accounts.read-model';

/** How many service accounts an organization may have. */
export const MAX_SERVICE_ACCOUNTS = 100;

/** Who changes service accounts. */
type Changing = Pick<Caller, 'userId'>;

/**
 * Service accounts of organizations (docs/roles.md#service-accounts). Who makes or changes one has, as who gives a role, every
 * permission in question, read under the lock of the organization.
 */
@Injectable()
export class ServiceAccounts {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: Accounts,
    private readonly standings: LockedStandings,
    private readonly roles: OwnRoles,
    private readonly table: PermissionTable,
    private readonly events: DomainEvents,
    private readonly caches: AuthCaches,
  ) {}

  /** All of them, by name. */
  async list({ orgId }: OrgContext): Promise<ServiceAccountList> {
    const rows = await selectServiceAccounts(this.database, orgId);
    return { items: rows.map((row) => this.toResponse(row)) };
  }

  /** @throws ServiceAccountNotFoundError */
  async get({ orgId }: OrgContext, id: string): Promise<ServiceAccountResponse> {
    return this.toResponse(await findServiceAccount(this.database.manager, orgId, id));
  }

  /**
   * @throws InvalidRoleError, OwnRoleRankError, RoleNotForServiceAccountError, RoleNotFoundError, RoleNotHeldError,
   *   MemberNotFoundError, TooManyServiceAccountsError, NotAMemberError
   */
  async create(
    caller: Changing,
    org: OrgContext,
    body: ServiceAccountCreate,
  ): Promise<ServiceAccountResponse> {
    const { orgId } = org;
    const { role, ownRoleId } = wantedByAccount(body);
    const given = { role: role ?? 'member', ownRoleId };
    const ownerUserId = body.owner_user_id ?? caller.userId;
    const made = await this.database.transaction(async (transaction) => {
      const actor = await this.standings.of(transaction, orgId, caller);
      await this.roles.assertGrantable(transaction, orgId, toGive(actor, org), given);
      await this.assertPerson(transaction, orgId, ownerUserId);
      const repository = transaction.getRepository(ServiceAccount);
      if ((await repository.countBy({ orgId })) >= MAX_SERVICE_ACCOUNTS)
        throw new TooManyServiceAccountsError(MAX_SERVICE_ACCOUNTS);
      const name = storableText(body.name);
      const userId = await this.accounts.createServiceAccount(transaction, { orgId, name, ...given });
      await repository.insert({ userId, orgId, ownerUserId });
      await this.events.publish(transaction, {
        kind: 'service_account.created',
        org_id: orgId,
        service_account_id: userId,
        user_id: caller.userId,
      });
      return findServiceAccount(transaction, orgId, userId);
    });
    this.caches.clear();
    return this.toResponse(made);
  }

  /**
   * Changes what is present in the body; what its keys can do changes at once.
   * @throws ServiceAccountNotFoundError, and as {@link create}
   */
  async update(
    caller: Changing,
    org: OrgContext,
    id: string,
    body: ServiceAccountUpdate,
  ): Promise<ServiceAccountResponse> {
    const { orgId } = org;
    const wanted = wantedByAccount(body);
    const changed = await this.database.transaction(async (transaction) => {
      const { actor, row } = await this.changeable(transaction, orgId, caller, id);
      const fields = [
        ...(await this.changeName(transaction, row, body.name)),
        ...(isRoleNamed(body)
          ? await this.changeRole(transaction, orgId, toGive(actor, org), row, wanted)
          : []),
        ...(await this.changeOwner(transaction, orgId, row, body.owner_user_id)),
      ];
      if (fields.length === 0) return row;
      await this.events.publish(transaction, {
        kind: 'service_account.updated',
        org_id: orgId,
        service_account_id: row.user_id,
        user_id: caller.userId,
        fields,
      });
      return findServiceAccount(transaction, orgId, row.user_id);
    });
    this.caches.clear();
    return this.toResponse(changed);
  }

  /**
   * Ends one as the membership of a member ends: its keys are revoked, its sandboxes paused.
   * @throws ServiceAccountNotFoundError, RoleNotHeldError, NotAMemberError
   */
  async delete(caller: Changing, { orgId }: OrgContext, id: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const { row } = await this.changeable(transaction, orgId, caller, id);
      await transaction.getRepository(ServiceAccount).delete({ userId: row.user_id });
      await this.accounts.endServiceAccount(transaction, { orgId, userId: row.user_id });
      await this.events.publish(transaction, {
        kind: 'service_account.deleted',
        org_id: orgId,
        service_account_id: row.user_id,
        user_id: caller.userId,
      });
    });
    this.caches.clear();
  }

  /** Who has left is not shown as the owner any more, also when they come back. */
  @OnDomainEvent('member.removed')
  async forgetOwner(
    { org_id: orgId, user_id: ownerUserId }: DomainEventOf<'member.removed'>,
    transaction: EntityManager,
  ): Promise<void> {
    await transaction.getRepository(ServiceAccount).update({ orgId, ownerUserId }, { ownerUserId: null });
  }

  private async changeName(
    transaction: EntityManager,
    { user_id, name: before }: ServiceAccountRow,
    text = before,
  ): Promise<string[]> {
    const name = storableText(text);
    if (name === before) return [];
    await this.accounts.rename(transaction, user_id, name);
    return ['name'];
  }

  private async changeRole(
    transaction: EntityManager,
    orgId: string,
    actor: Standing,
    row: ServiceAccountRow,
    wanted: WantedRole,
  ): Promise<string[]> {
    const held = { role: row.role, ownRoleId: row.own_role?.id ?? null };
    const given = { role: wanted.role ?? row.role, ownRoleId: wanted.ownRoleId };
    if (isSameRole(held, given)) return [];
    await this.roles.assertGrantable(transaction, orgId, actor, given);
    const change = { userId: row.user_id, before: held, now: given };
    await this.accounts.changeRoles(transaction, orgId, [change]);
    return ['role'];
  }

  private async changeOwner(
    transaction: EntityManager,
    orgId: string,
    { user_id: userId, owner }: ServiceAccountRow,
    ownerUserId: string | undefined,
  ): Promise<string[]> {
    if (ownerUserId === undefined || ownerUserId === owner?.user_id) return [];
    await this.assertPerson(transaction, orgId, ownerUserId);
    await transaction.getRepository(ServiceAccount).update({ userId }, { ownerUserId });
    return ['owner'];
  }

  private async changeable(transaction: EntityManager, orgId: string, caller: Changing, id: string) {
    const actor = await this.standings.of(transaction, orgId, caller);
    const row = await findServiceAccount(transaction, orgId, id);
    requireHeld(actor, this.table.standing(row.role, row.own_role?.permissions ?? null).permissions);
    return { actor, row };
  }

  /** @throws MemberNotFoundError for who is no member, or no person */
  private async assertPerson(transaction: EntityManager, orgId: string, userId: string): Promise<void> {
    const isMember = await this.accounts.isMember(transaction, orgId, userId);
    const user = isMember ? await this.accounts.findById(transaction, userId) : null;
    if (user?.kind !== 'person') throw new MemberNotFoundError();
  }

  /** What is shown of one. @internal */
  toResponse(row: ServiceAccountRow): ServiceAccountResponse {
    const standing = ofServiceAccount(this.table.standing(row.role, row.own_role?.permissions ?? null));
    return {
      id: row.user_id,
      name: row.name,
      role: row.role,
      own_role: row.own_role === null ? null : { id: row.own_role.id, name: row.own_role.name },
      permissions: this.table.known(standing.permissions),
      owner: row.owner,
      identity: row.identity,
      created_at: row.created_at.toISOString(),
    };
  }
}

/** @throws ServiceAccountNotFoundError */
export async function findServiceAccount(
  database: EntityManager,
  orgId: string,
  text: string,
): Promise<ServiceAccountRow> {
  const id = parseUuid(text);
  const row = id === null ? null : await selectServiceAccount(database, orgId, id);
  if (row === null) throw new ServiceAccountNotFoundError();
  return row;
}

function isRoleNamed({ role, own_role_id }: ServiceAccountUpdate): boolean {
  return role !== undefined || own_role_id !== undefined;
}

/** @throws InvalidRoleError, OwnRoleRankError, RoleNotForServiceAccountError */
function wantedByAccount(body: ServiceAccountUpdate): WantedRole {
  const wanted = wantedRole(body);
  if (wanted.role === 'owner') throw new RoleNotForServiceAccountError();
  return wanted;
}
