import { type Caller, type OrgContext } from '../../auth';
import { OrgAppQuery, OrgAppSettings, OrgAppSettingsUpdate, UserAppSettings, UserAppSettingsUpdate } from './app-settings.dto';
import { AppSettingsService } from './app-settings.service';
export declare class AppSettingsController {
    private readonly settings;
    constructor(settings: AppSettingsService);
    getOrgAppSettings(_query: OrgAppQuery, org: OrgContext): Promise<OrgAppSettings>;
    saveOrgAppSettings(_query: OrgAppQuery, org: OrgContext, body: OrgAppSettingsUpdate): Promise<OrgAppSettings>;
    getUserAppSettings(caller: Caller): Promise<UserAppSettings>;
    saveUserAppSettings(caller: Caller, body: UserAppSettingsUpdate): Promise<UserAppSettings>;
}
