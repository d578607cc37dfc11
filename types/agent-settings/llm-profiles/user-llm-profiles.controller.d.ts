import { type Caller } from '../../auth';
import { type ProfileChanged, ProfileRename } from '../record/profile.dto';
import { LlmProfileDetail, LlmProfileList, LlmProfilePath, LlmProfileSave, NewLlmProfilePath } from './llm-profiles.dto';
import { LlmProfilesService } from './llm-profiles.service';
export declare class UserLlmProfilesController {
    private readonly profiles;
    constructor(profiles: LlmProfilesService);
    listUserLlmProfiles(caller: Caller): Promise<LlmProfileList>;
    getUserLlmProfile(caller: Caller, path: LlmProfilePath): Promise<LlmProfileDetail>;
    saveUserLlmProfile(caller: Caller, path: NewLlmProfilePath, body: LlmProfileSave): Promise<ProfileChanged>;
    renameUserLlmProfile(caller: Caller, path: LlmProfilePath, body: ProfileRename): Promise<ProfileChanged>;
    activateUserLlmProfile(caller: Caller, path: LlmProfilePath): Promise<ProfileChanged>;
    deleteUserLlmProfile(caller: Caller, path: LlmProfilePath): Promise<ProfileChanged>;
}
