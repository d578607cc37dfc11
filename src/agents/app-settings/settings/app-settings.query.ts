import { type ColumnsOf, queryRow, type SqlRunner } from '../../../kernel/database';
import type { OrgAppSettingsRow, UserAppSettingsRow, UserOrgAppSettingsRow } from './app-settings.entity';

/** The time of a save: to the millisecond, and later than that of the save before. */
const NEXT_VERSION = `greatest(date_trunc('milliseconds', clock_timestamp()),
                               $2::timestamptz + interval '1 millisecond')`;

/**
 * Saves an organization's settings. By hand: insert or update, and the time as the database's clock has it,
 * are one statement.
 * @param before time of the save before; null for the first one
 * @returns the time of this save
 */
export async function saveOrgSettings(
  transaction: SqlRunner,
  settings: Omit<OrgAppSettingsRow, 'updatedAt'>,
  before: Date | null,
): Promise<Date> {
  const row = await queryRow<ColumnsOf<OrgAppSettingsRow, 'updatedAt'>>(
    transaction,
    `INSERT INTO org_app_settings (org_id, updated_at, enable_proactive_conversation_starters,
                                   max_budget_per_task, registered_marketplaces)
     VALUES ($1, ${NEXT_VERSION}, $3, $4, $5)
     ON CONFLICT (org_id) DO UPDATE SET updated_at = excluded.updated_at,
       enable_proactive_conversation_starters = excluded.enable_proactive_conversation_starters,
       max_budget_per_task = excluded.max_budget_per_task,
       registered_marketplaces = excluded.registered_marketplaces
     RETURNING updated_at`,
    [
      settings.orgId,
      before,
      settings.enableProactiveConversationStarters,
      settings.maxBudgetPerTask,
      JSON.stringify(settings.registeredMarketplaces),
    ],
  );
  return savedAt(row);
}

/** Saves a user's settings for one organization, like {@link saveOrgSettings}. */
export async function saveUserOrgSettings(
  transaction: SqlRunner,
  settings: Omit<UserOrgAppSettingsRow, 'updatedAt'>,
  before: Date | null,
): Promise<Date> {
  const row = await queryRow<ColumnsOf<UserOrgAppSettingsRow, 'updatedAt'>>(
    transaction,
    `INSERT INTO user_org_app_settings (user_id, updated_at, registered_marketplaces, org_id)
     VALUES ($1, ${NEXT_VERSION}, $3, $4)
     ON CONFLICT (user_id, org_id) DO UPDATE SET updated_at = excluded.updated_at,
       registered_marketplaces = excluded.registered_marketplaces
     RETURNING updated_at`,
    [settings.userId, before, JSON.stringify(settings.registeredMarketplaces), settings.orgId],
  );
  return savedAt(row);
}

/** Saves a user's settings, like {@link saveOrgSettings}. */
export async function saveUserSettings(
  transaction: SqlRunner,
  settings: Omit<UserAppSettingsRow, 'updatedAt'>,
  before: Date | null,
): Promise<Date> {
  const row = await queryRow<ColumnsOf<UserAppSettingsRow, 'updatedAt'>>(
    transaction,
    `INSERT INTO user_app_settings (user_id, updated_at, registered_marketplaces)
     VALUES ($1, ${NEXT_VERSION}, $3)
     ON CONFLICT (user_id) DO UPDATE SET updated_at = excluded.updated_at,
       registered_marketplaces = excluded.registered_marketplaces
     RETURNING updated_at`,
    [settings.userId, before, JSON.stringify(settings.registeredMarketplaces)],
  );
  return savedAt(row);
}

function savedAt(row: { readonly updated_at: Date } | null): Date {
  if (row === null) throw new Error('A save answers the row it wrote.');
  return row.updated_at;
}
