import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import {
  type IssuedKey,
  KeyIssuer,
  type KeyRequest,
  type ListedKey,
  listKeys,
} from '../../accounts/api-keys';
import { PermissionTable } from '../../kernel/auth';
import { CommandError } from './command-error';
import { type SecretBox, serialId } from '../../kernel/common';
import { isUniqueViolation } from '../../kernel/database';
import { type FailedListenerJob, FailedListenerJobs } from '../../kernel/domain-events';
import { addressOf, futureOf, namesIn, rangesOf, roleOf, uuidOf } from './option-values';
import { OrganizationCommands } from './organizations/organization-commands';
import type { Reencrypted } from './reencrypt-secrets';
import {
  type Account,
  Accounts,
  type AccountState,
  type ListedOrganization,
  listOrganizations,
  type ListedUser,
  listUsers,
} from '../../accounts/orgs';

const KEY_NAME = 'Command line';

/** Who gets a key: the user with an address, or the first owner. */
interface KeyReceiver {
  readonly email: string | undefined;
  readonly isForOwner: boolean;
}

/** How a key that is issued is limited, as options have it. */
interface KeyOptions {
  readonly org?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly scopes?: string | undefined;
  readonly addresses?: string | undefined;
}

/**
 * What an operator does by hand (docs/contract.md#command-line). Replicas that run see it within a second.
 */
@Injectable()
export class OperatorCommands {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: Accounts,
    private readonly keys: KeyIssuer,
    readonly organizations: OrganizationCommands,
    private readonly failedListenerJobs: FailedListenerJobs,
    private readonly permissions: PermissionTable,
  ) {}

  /** Creates an organization with an owner, and a key of theirs bound to it. */
  async createOrg(
    name: string,
    ownerEmail: string,
    ownerName?: string,
    id?: string,
  ): Promise<{ org_id: string; user_id: string; key: string }> {
    const orgId = id === undefined ? undefined : uuidOf('id', id);
    try {
      return await this.database.transaction(async (transaction) => {
        const { userId } = await this.ensureUser(transaction, ownerEmail, ownerName);
        const made = await this.accounts.createOrganization(transaction, name.trim(), orgId);
        await this.accounts.addMember(transaction, made, userId, 'owner');
        const { key } = await this.issue(transaction, { userId, orgId: made });
        return { org_id: made, user_id: userId, key };
      });
    } catch (error) {
      if (isUniqueViolation(error, 'organizations_pkey'))
        throw new CommandError('There is an organization with this id already.', { cause: error });
      throw error;
    }
  }

  /** Adds a member to an organization, and creates the user if there is none yet. */
  async addMember(
    org: string,
    email: string,
    roleText: string,
    name?: string,
  ): Promise<{ user_id: string; key: string }> {
    const role = roleOf(roleText);
    const orgId = await this.organizations.idOf(org);
    return this.database.transaction(async (transaction) => {
      const { userId } = await this.ensureUser(transaction, email, name);
      if (!(await this.accounts.addMember(transaction, orgId, userId, role)))
        throw new CommandError(`${email} is a member of this organization already.`);
      const { key } = await this.issue(transaction, { userId, orgId });
      return { user_id: userId, key };
    });
  }

  /** Disables a user, which makes all their keys invalid. */
  async disableUser(email: string): Promise<{ user_id: string; disabled_at: string }> {
    const user = await this.database.transaction((transaction) =>
      this.accounts.disable(transaction, addressOf(email)),
    );
    if (user === null) throw new CommandError(`There is no user ${email}.`);
    return { user_id: user.userId, disabled_at: user.disabledAt.toISOString() };
  }

  /** Enables a user again, which makes those of their keys valid that were not revoked. */
  async enableUser(email: string): Promise<{ user_id: string; disabled_at: null }> {
    const user = await this.userOf(this.database.manager, email);
    await this.database.transaction((transaction) => this.accounts.enable(transaction, user.id));
    return { user_id: user.id, disabled_at: null };
  }

  /** The user with an address. @throws CommandError where there is none */
  user(email: string): Promise<AccountState> {
    return this.userOf(this.database.manager, email);
  }

  /** All organizations, with their owners. */
  async listOrganizations(): Promise<{ items: ListedOrganization[] }> {
    return { items: await listOrganizations(this.database) };
  }

  /** All users, with their organizations. */
  async listUsers(): Promise<{ items: ListedUser[] }> {
    return { items: await listUsers(this.database) };
  }

  /** All keys, with the addresses of their users. */
  async listKeys(): Promise<{ items: ListedKey[] }> {
    return { items: await listKeys(this.database) };
  }

  /** Issues a key to a user, or to the first owner, bound to an organization of theirs or unbound. */
  async issueKey(to: KeyReceiver, wanted: KeyOptions): Promise<{ id: number; key: string }> {
    const { org, expiresAt, scopes, addresses } = wanted;
    const orgId = org === undefined ? null : uuidOf('org', org);
    const limits = {
      expiresAt: expiresAt === undefined ? null : futureOf(expiresAt),
      scopes: scopes === undefined ? null : this.scopesOf(scopes),
      addressRanges: addresses === undefined ? null : rangesOf(addresses),
    };
    return this.database.transaction(async (transaction) => {
      const user = await this.receiverOf(transaction, to);
      if (user.disabledAt !== null) throw new CommandError(`The user ${user.email} is disabled.`);
      if (orgId !== null && !(await this.accounts.isMember(transaction, orgId, user.id)))
        throw new CommandError(`${user.email} is not a member of this organization.`);
      const { id, key } = await this.issue(transaction, { userId: user.id, orgId, ...limits });
      return { id, key };
    });
  }

  async revokeKey(idText: string): Promise<{ id: number; revoked: true }> {
    const id = Number(idText);
    if (!Number.isSafeInteger(id) || id < 1) throw new CommandError('--id must be the number of a key.');
    const keyId = serialId(String(id));
    const isRevoked =
      keyId !== null &&
      (await this.database.transaction((transaction) => this.keys.revoke(transaction, { id: keyId })));
    if (!isRevoked) throw new CommandError(`There is no key ${idText}.`);
    return { id, revoked: true };
  }

  /** Rebuilds the counters behind the totals of the organization lists. */
  async rebuildCounters(): Promise<{ conversations: number }> {
    // With all that conversations need, which few commands do.
    const { rebuildConversationCounts } = await import('../../conversations/conversations/index.ts');
    return { conversations: await rebuildConversationCounts(this.database) };
  }

  /** Jobs of listeners of domain events that have failed and not succeeded since: retried ones and dead ones. */
  async listFailedListenerJobs(): Promise<{ items: FailedListenerJob[] }> {
    return { items: await this.failedListenerJobs.list() };
  }

  /** Moves everything sealed to the current key. */
  async reencryptSecrets(box: SecretBox): Promise<Reencrypted> {
    const { reencryptSecrets } = await import('./reencrypt-secrets.ts');
    return reencryptSecrets(this.database, box);
  }

  private async receiverOf(
    transaction: EntityManager,
    { email, isForOwner }: KeyReceiver,
  ): Promise<AccountState> {
    if ((email === undefined) !== isForOwner) throw new CommandError('Either --email or --owner is needed.');
    if (email !== undefined) return this.userOf(transaction, email);
    const owner = await this.accounts.firstOwner(transaction);
    if (owner === null) throw new CommandError('There is no owner who is not disabled.');
    return owner;
  }

  private async userOf(transaction: EntityManager, email: string): Promise<AccountState> {
    const user = await this.accounts.findByEmail(transaction, addressOf(email));
    if (user === null) throw new CommandError(`There is no user ${email}.`);
    return user;
  }

  private async ensureUser(transaction: EntityManager, email: string, name?: string): Promise<Account> {
    const account = await this.accounts.ensureUser(transaction, {
      email: addressOf(email),
      name: name ?? null,
    });
    const state = await this.accounts.findById(transaction, account.userId);
    if (state?.disabledAt) throw new CommandError(`The user ${email} is disabled.`);
    return account;
  }

  private issue(transaction: EntityManager, request: KeyRequest): Promise<IssuedKey> {
    return this.keys.issue(transaction, { ...request, name: KEY_NAME });
  }

  private scopesOf(text: string): string[] {
    const names = namesIn(text);
    const unknown = names.find((name) => this.permissions.known([name]).length === 0);
    if (names.length === 0 || unknown !== undefined)
      throw new CommandError(`--scopes: there is no permission ${unknown ?? ''}.`);
    return this.permissions.known(names);
  }
}
