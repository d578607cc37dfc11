import { type SqlRunner } from '../../database';
import type { OrgAppSettingsRow, UserAppSettingsRow, UserOrgAppSettingsRow } from '../record/app-settings.entity';
/**
 * Saves an organization's settings. By hand: insert or update, and the time as the database's clock has it,
 * are one statement.
 * @param before time of the save before; null for the first one
 * @returns the time of this save
 */
export declare function saveOrgSettings(transaction: SqlRunner, settings: Omit<OrgAppSettingsRow, 'updatedAt'>, before: Date | null): Promise<Date>;
/** Saves a user's settings for one organization, like {@link saveOrgSettings}. */
export declare function saveUserOrgSettings(transaction: SqlRunner, settings: Omit<UserOrgAppSettingsRow, 'updatedAt'>, before: Date | null): Promise<Date>;
/** Saves a user's settings, like {@link saveOrgSettings}. */
export declare function saveUserSettings(transaction: SqlRunner, settings: Omit<UserAppSettingsRow, 'updatedAt'>, before: Date | null): Promise<Date>;
