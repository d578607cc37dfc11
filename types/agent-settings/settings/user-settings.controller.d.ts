import { type Caller, type OrgContext } from '../../auth';
import { UserSettings, UserSettingsUpdate } from './user-settings.dto';
import { UserSettingsService } from './user-settings.service';
export declare class UserSettingsController {
    private readonly settings;
    constructor(settings: UserSettingsService);
    getSettings(caller: Caller, org: OrgContext): Promise<UserSettings>;
    saveSettings(caller: Caller, org: OrgContext, body: UserSettingsUpdate): Promise<UserSettings>;
}
