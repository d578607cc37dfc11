import { DataSource } from 'typeorm';
import { type Caller, type OrgContext } from '../../auth';
import { DomainEvents } from '../../domain-events';
import { AccountLocks } from '../record/account-locks';
import type { OrgAppSettings, OrgAppSettingsUpdate, UserAppSettings, UserAppSettingsUpdate } from './app-settings.dto';
import { StoredSettings } from './stored-settings';
/** App settings of organizations and of people (docs/contract.md#app-settings). */
export declare class AppSettingsService {
    private readonly database;
    private readonly stored;
    private readonly locks;
    private readonly events;
    constructor(database: DataSource, stored: StoredSettings, locks: AccountLocks, events: DomainEvents);
    ofOrg(org: OrgContext): Promise<OrgAppSettings>;
    /**
     * Writes what is present.
     * @throws PermissionDeniedError for marketplaces or a budget without `edit_org_settings`,
     *   DuplicateMarketplacesError, SettingsChangedError
     */
    saveOfOrg(org: OrgContext, update: OrgAppSettingsUpdate): Promise<OrgAppSettings>;
    ofUser(caller: Caller): Promise<UserAppSettings>;
    /**
     * With a bound key they are saved for its organization, where they hold from then on instead of the others.
     * @throws DuplicateMarketplacesError, SettingsChangedError
     */
    saveOfUser(caller: Caller, update: UserAppSettingsUpdate): Promise<UserAppSettings>;
}
