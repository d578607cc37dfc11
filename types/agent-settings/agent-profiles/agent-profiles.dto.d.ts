import { OrgProfilesPath } from '../record/profile.dto';
/** An agent profile. */
export declare class AgentProfileInfo {
    id: string;
    name: string;
    agent_kind: 'openhands';
    revision: number;
    llm_profile_ref: string | null;
    mcp_server_refs: string[];
}
export declare class AgentProfileList {
    profiles: AgentProfileInfo[];
    active_agent_profile_id: string | null;
}
export declare class AgentProfileDetail {
    name: string;
    profile: AgentProfileInfo;
}
export declare class AgentProfilePath {
    name: string;
}
export declare class OrgAgentProfilePath extends OrgProfilesPath {
    name: string;
}
/** The name of a profile, which may be new. */
export declare class NewAgentProfilePath {
    name: string;
}
export declare class NewOrgAgentProfilePath extends OrgProfilesPath {
    name: string;
}
/** The fields of an agent profile. */
export declare class AgentProfileFields {
    agent_kind?: 'openhands' | null;
    llm_profile_ref?: string | null;
}
/** Body of saving an agent profile: its fields, at the top level or in `profile`. */
export declare class AgentProfileSave extends AgentProfileFields {
    profile?: AgentProfileFields | null;
}
