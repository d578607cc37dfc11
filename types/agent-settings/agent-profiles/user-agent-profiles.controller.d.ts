import { type Caller } from '../../auth';
import { type ProfileChanged, ProfileRename } from '../record/profile.dto';
import { type AgentProfileDetail, type AgentProfileList, AgentProfilePath, AgentProfileSave, NewAgentProfilePath } from './agent-profiles.dto';
import { AgentProfilesService } from './agent-profiles.service';
export declare class UserAgentProfilesController {
    private readonly profiles;
    constructor(profiles: AgentProfilesService);
    listAgentProfiles(caller: Caller): Promise<AgentProfileList>;
    getAgentProfile(caller: Caller, path: AgentProfilePath): Promise<AgentProfileDetail>;
    saveAgentProfile(caller: Caller, path: NewAgentProfilePath, body: AgentProfileSave): Promise<ProfileChanged>;
    renameAgentProfile(caller: Caller, path: AgentProfilePath, body: ProfileRename): Promise<ProfileChanged>;
    activateAgentProfile(caller: Caller, path: AgentProfilePath): Promise<ProfileChanged>;
    deleteAgentProfile(caller: Caller, path: AgentProfilePath): Promise<ProfileChanged>;
}
