import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type Caller, roleHasPermission, type OrgContext, PermissionDeniedError } from '../../auth';
import { ValueOutOfRangeError } from '../../http';
import type {
  OrgAppSettings,
  OrgAppSettingsUpdate,
  UserAppSettings,
  UserAppSettingsUpdate,
} from './app-settings.dto';
import type { StoredRegistration } from './app-settings.entity';
import { SettingsChangedError } from '../organizations/orgs.errors';
import { toStore, withScope } from './registrations';

interface OrgSettingsRow {
  readonly enable_proactive_conversation_starters: boolean;
  readonly max_budget_per_task: number | null;
  readonly registered_marketplaces: StoredRegistration[];
  readonly updated_at: Date | null;
}

interface UserSettingsRow {
  readonly registered_marketplaces: StoredRegistration[];
  readonly updated_at: Date | null;
}

const UNSAVED_ORG: OrgSettingsRow = {
  enable_proactive_conversation_starters: true,
  max_budget_per_task: null,
  registered_marketplaces: [],
  updated_at: null,
};
const UNSAVED_USER: UserSettingsRow = { registered_marketplaces: [], updated_at: null };

/** The time of a save: to the millisecond, and later than that of the save before. */
const NEXT_VERSION = `greatest(date_trunc('milliseconds', clock_timestamp()),
                               $2::timestamptz + interval '1 millisecond')`;

/** App settings of organizations and of people (docs/contract.md#app-settings). */
@Injectable()
export class AppSettingsService {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async ofOrg(org: OrgContext): Promise<OrgAppSettings> {
    return toOrgSettings(await readOrg(this.database.manager, org.orgId));
  }

  /**
   * Writes what is present.
   * @throws PermissionDeniedError for marketplaces or a budget without `edit_org_settings`,
   *   DuplicateMarketplacesError, SettingsChangedError
   */
  async saveOfOrg(org: OrgContext, update: OrgAppSettingsUpdate): Promise<OrgAppSettings> {
    const { max_budget_per_task: budget, registered_marketplaces: marketplaces } = update;
    const restricted = budget !== undefined || marketplaces !== undefined;
    if (restricted && !roleHasPermission(org.role, 'edit_org_settings'))
      throw new PermissionDeniedError('edit_org_settings');
    if (typeof budget === 'number' && !Number.isFinite(budget)) throw new ValueOutOfRangeError();
    const registered = marketplaces === undefined ? undefined : toStore(marketplaces ?? []);
    return this.database.transaction(async (transaction) => {
      // The organization's row is the lock: its settings may have no row yet.
      await transaction.query('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [org.orgId]);
      const before = await readOrg(transaction, org.orgId);
      checkVersion(before.updated_at, update.last_known_updated_at);
      const starters = update.enable_proactive_conversation_starters ?? undefined;
      if (!restricted && starters === undefined) return toOrgSettings(before);
      const [saved] = await transaction.query<[OrgSettingsRow]>(
        `INSERT INTO org_app_settings AS s (org_id, updated_at, enable_proactive_conversation_starters,
                                            max_budget_per_task, registered_marketplaces)
         VALUES ($1, ${NEXT_VERSION}, $3, $4, $5)
         ON CONFLICT (org_id) DO UPDATE SET updated_at = excluded.updated_at,
           enable_proactive_conversation_starters = excluded.enable_proactive_conversation_starters,
           max_budget_per_task = excluded.max_budget_per_task,
           registered_marketplaces = excluded.registered_marketplaces
         RETURNING s.*`,
        [
          org.orgId,
          before.updated_at,
          starters ?? before.enable_proactive_conversation_starters,
          budget === undefined ? before.max_budget_per_task : budget,
          JSON.stringify(registered ?? before.registered_marketplaces),
        ],
      );
      return toOrgSettings(saved);
    });
  }

  async ofUser(caller: Caller): Promise<UserAppSettings> {
    return toUserSettings(await readUser(this.database.manager, caller.userId));
  }

  /** @throws DuplicateMarketplacesError, SettingsChangedError */
  async saveOfUser(caller: Caller, update: UserAppSettingsUpdate): Promise<UserAppSettings> {
    const { registered_marketplaces: marketplaces } = update;
    const registered = marketplaces === undefined ? undefined : toStore(marketplaces ?? []);
    return this.database.transaction(async (transaction) => {
      await transaction.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [caller.userId]);
      const before = await readUser(transaction, caller.userId);
      checkVersion(before.updated_at, update.last_known_updated_at);
      if (registered === undefined) return toUserSettings(before);
      const [saved] = await transaction.query<[UserSettingsRow]>(
        `INSERT INTO user_app_settings AS s (user_id, updated_at, registered_marketplaces)
         VALUES ($1, ${NEXT_VERSION}, $3)
         ON CONFLICT (user_id) DO UPDATE SET updated_at = excluded.updated_at,
           registered_marketplaces = excluded.registered_marketplaces
         RETURNING s.*`,
        [caller.userId, before.updated_at, JSON.stringify(registered)],
      );
      return toUserSettings(saved);
    });
  }
}

/** An organization's settings as kept; the defaults until they are first saved. */
export async function readOrg(manager: EntityManager, orgId: string): Promise<OrgSettingsRow> {
  const [row] = await manager.query<OrgSettingsRow[]>('SELECT * FROM org_app_settings WHERE org_id = $1', [
    orgId,
  ]);
  return row ?? UNSAVED_ORG;
}

/** A user's settings as kept. */
export async function readUser(manager: EntityManager, userId: string): Promise<UserSettingsRow> {
  const [row] = await manager.query<UserSettingsRow[]>('SELECT * FROM user_app_settings WHERE user_id = $1', [
    userId,
  ]);
  return row ?? UNSAVED_USER;
}

/** Null and absent mean that the caller does not ask for the check. */
function checkVersion(current: Date | null, lastKnown: Date | null | undefined): void {
  if (lastKnown === undefined || lastKnown === null) return;
  if (current?.getTime() !== lastKnown.getTime()) throw new SettingsChangedError();
}

function toOrgSettings(row: OrgSettingsRow): OrgAppSettings {
  return {
    enable_proactive_conversation_starters: row.enable_proactive_conversation_starters,
    max_budget_per_task: row.max_budget_per_task,
    registered_marketplaces: withScope(row.registered_marketplaces, 'org'),
    updated_at: row.updated_at?.toISOString() ?? null,
  };
}

function toUserSettings(row: UserSettingsRow): UserAppSettings {
  return {
    registered_marketplaces: withScope(row.registered_marketplaces, 'personal'),
    updated_at: row.updated_at?.toISOString() ?? null,
  };
}
