import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type Caller, type OrgContext, PermissionDeniedError } from '../../../kernel/auth';
import { DomainEvents } from '../../../kernel/domain-events';
import { ValueOutOfRangeError } from '../../../kernel/http';
import { AccountLocks } from '../../../accounts/orgs';
import type {
  OrgAppSettings,
  OrgAppSettingsUpdate,
  UserAppSettings,
  UserAppSettingsUpdate,
} from './app-settings.dto';
import { saveOrgSettings, saveUserOrgSettings, saveUserSettings } from './app-settings.query';
import {
  toStore,
  withScope,
  SettingsChangedError,
  type StoredOrgSettings,
  StoredSettings,
  type StoredUserSettings,
} from './stored-settings';

/** App settings of organizations and of people (docs/contract.md#app-settings). */
@Injectable()
export class AppSettingsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly stored: StoredSettings,
    private readonly locks: AccountLocks,
    private readonly events: DomainEvents,
  ) {}

  async ofOrg(org: OrgContext): Promise<OrgAppSettings> {
    return toOrgSettings(await this.stored.ofOrg(org.orgId));
  }

  /**
   * Writes the fields that are present.
   * @throws PermissionDeniedError for marketplaces or a budget without `edit_org_settings`,
   *   DuplicateMarketplacesError, SettingsChangedError
   */
  async saveOfOrg(org: OrgContext, update: OrgAppSettingsUpdate): Promise<OrgAppSettings> {
    const { max_budget_per_task: budget, registered_marketplaces: marketplaces } = update;
    const restricted = budget !== undefined || marketplaces !== undefined;
    if (restricted && !org.permissions.has('edit_org_settings'))
      throw new PermissionDeniedError('edit_org_settings');
    if (typeof budget === 'number' && !Number.isFinite(budget)) throw new ValueOutOfRangeError();
    const registered = marketplaces === undefined ? undefined : toStore(marketplaces ?? []);
    return this.database.transaction(async (transaction) => {
      // The organization's row is the lock: its settings may have no row yet.
      await this.locks.organization(transaction, org.orgId);
      const before = await this.stored.ofOrg(org.orgId, transaction);
      checkVersion(before.updatedAt, update.last_known_updated_at);
      const starters = update.enable_proactive_conversation_starters ?? undefined;
      if (!restricted && starters === undefined) return toOrgSettings(before);
      const changed = {
        orgId: org.orgId,
        enableProactiveConversationStarters: starters ?? before.enableProactiveConversationStarters,
        maxBudgetPerTask: budget === undefined ? before.maxBudgetPerTask : budget,
        registeredMarketplaces: registered ?? before.registeredMarketplaces,
      };
      const updatedAt = await saveOrgSettings(transaction, changed, before.updatedAt);
      const [old, saved] = [toOrgSettings(before), toOrgSettings({ ...changed, updatedAt })];
      const fields = changedFields(old, saved);
      if (fields.length > 0)
        await this.events.publish(transaction, {
          kind: 'settings.updated',
          org_id: org.orgId,
          user_id: null,
          fields,
        });
      return saved;
    });
  }

  async ofUser(caller: Caller): Promise<UserAppSettings> {
    return toUserSettings(await this.stored.ofUser(holderOf(caller)));
  }

  /**
   * With a bound key they are saved for its organization, where they hold from then on instead of the others.
   * @throws DuplicateMarketplacesError, SettingsChangedError
   */
  async saveOfUser(caller: Caller, update: UserAppSettingsUpdate): Promise<UserAppSettings> {
    const { registered_marketplaces: marketplaces } = update;
    const { userId, boundOrgId: orgId } = caller;
    const registered = marketplaces === undefined ? undefined : toStore(marketplaces ?? []);
    return this.database.transaction(async (transaction) => {
      await this.locks.user(transaction, userId);
      const before = await this.stored.ofUser(holderOf(caller), transaction);
      checkVersion(before.updatedAt, update.last_known_updated_at);
      if (registered === undefined) return toUserSettings(before);
      const changed = { userId, registeredMarketplaces: registered };
      const updatedAt =
        orgId === null
          ? await saveUserSettings(transaction, changed, before.updatedAt)
          : await saveUserOrgSettings(transaction, { ...changed, orgId }, before.updatedAt);
      const [old, saved] = [toUserSettings(before), toUserSettings({ ...changed, updatedAt })];
      const fields = changedFields(old, saved);
      if (fields.length > 0)
        await this.events.publish(transaction, {
          kind: 'settings.updated',
          org_id: orgId,
          user_id: userId,
          fields,
        });
      return saved;
    });
  }
}

/** Whose settings a caller sees: with a bound key those that hold in its organization. */
function holderOf({ userId, boundOrgId, letInBy }: Caller) {
  return { userId, orgId: boundOrgId, byLink: letInBy !== null };
}

/** Null and absent mean that the caller does not ask for the check. */
function checkVersion(current: Date | null, lastKnown: Date | null | undefined): void {
  if (lastKnown === undefined || lastKnown === null) return;
  if (current?.getTime() !== lastKnown.getTime()) throw new SettingsChangedError();
}

/** The settings that have another value after a save; its time is none. */
function changedFields<Settings extends object>(before: Settings, after: Settings): string[] {
  return Object.keys(after).filter(
    (name) =>
      name !== 'updated_at' && !isDeepStrictEqual(Reflect.get(after, name), Reflect.get(before, name)),
  );
}

function toOrgSettings(settings: StoredOrgSettings): OrgAppSettings {
  return {
    enable_proactive_conversation_starters: settings.enableProactiveConversationStarters,
    max_budget_per_task: settings.maxBudgetPerTask,
    registered_marketplaces: withScope(settings.registeredMarketplaces, 'org'),
    updated_at: settings.updatedAt?.toISOString() ?? null,
  };
}

function toUserSettings(settings: StoredUserSettings): UserAppSettings {
  return {
    registered_marketplaces: withScope(settings.registeredMarketplaces, 'personal'),
    updated_at: settings.updatedAt?.toISOString() ?? null,
  };
}
