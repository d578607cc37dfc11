import { OrgProfilesPath, type ProfileChanged, ProfileRename } from '../record/profile.dto';
import { LlmProfileDetail, LlmProfileList, LlmProfileSave, NewOrgLlmProfilePath, OrgLlmProfilePath } from './llm-profiles.dto';
import { LlmProfilesService } from './llm-profiles.service';
export declare class OrgLlmProfilesController {
    private readonly profiles;
    constructor(profiles: LlmProfilesService);
    listOrgLlmProfiles(path: OrgProfilesPath): Promise<LlmProfileList>;
    getOrgLlmProfile(path: OrgLlmProfilePath): Promise<LlmProfileDetail>;
    saveOrgLlmProfile(path: NewOrgLlmProfilePath, body: LlmProfileSave): Promise<ProfileChanged>;
    renameOrgLlmProfile(path: OrgLlmProfilePath, body: ProfileRename): Promise<ProfileChanged>;
    activateOrgLlmProfile(path: OrgLlmProfilePath): Promise<ProfileChanged>;
    deleteOrgLlmProfile(path: OrgLlmProfilePath): Promise<ProfileChanged>;
}
