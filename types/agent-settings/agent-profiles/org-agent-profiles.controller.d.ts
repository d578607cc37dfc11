import { OrgProfilesPath, type ProfileChanged, ProfileRename } from '../record/profile.dto';
import { type AgentProfileDetail, type AgentProfileList, AgentProfileSave, NewOrgAgentProfilePath, OrgAgentProfilePath } from './agent-profiles.dto';
import { AgentProfilesService } from './agent-profiles.service';
export declare class OrgAgentProfilesController {
    private readonly profiles;
    constructor(profiles: AgentProfilesService);
    listOrgAgentProfiles(path: OrgProfilesPath): Promise<AgentProfileList>;
    getOrgAgentProfile(path: OrgAgentProfilePath): Promise<AgentProfileDetail>;
    saveOrgAgentProfile(path: NewOrgAgentProfilePath, body: AgentProfileSave): Promise<ProfileChanged>;
    renameOrgAgentProfile(path: OrgAgentProfilePath, body: ProfileRename): Promise<ProfileChanged>;
    activateOrgAgentProfile(path: OrgAgentProfilePath): Promise<ProfileChanged>;
    deleteOrgAgentProfile(path: OrgAgentProfilePath): Promise<ProfileChanged>;
}
