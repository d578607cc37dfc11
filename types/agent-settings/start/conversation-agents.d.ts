import { type Person } from '../../common';
import { type Settings } from '../../config';
import { AgentProfilesRepository } from '../agent-profiles/agent-profiles.repository';
import { LlmProfilesRepository } from '../llm-profiles/llm-profiles.repository';
import { ProviderConnectionsRepository } from '../provider-connections/provider-connections.repository';
import { AgentSettingsRepository, type AgentSettings } from '../record/agent-settings.repository';
import { type Llm } from './llm';
/** The agent of a conversation. */
export interface ConversationAgent {
    readonly llm: Llm;
    /** Whether the key of the model is one that the creator keeps. */
    readonly isKeyOwn: boolean;
    readonly settings: AgentSettings;
    /** The agent profile that it comes from; null without one. */
    readonly profile: {
        readonly id: string;
        readonly revision: number;
    } | null;
    /** The model profile that the agent profile names, where there is none of that name. */
    readonly missingModelProfile: string | null;
}
/** The agent that a start request asks for. */
export interface RequestedAgent {
    readonly model: string | null;
    /** An agent profile; by default the user's active one, else the organization's. */
    readonly agentProfileId?: string | null;
}
/** Resolves what agents of conversations run on (docs/contract.md#agent-settings). */
export declare class ConversationAgents {
    private readonly installation;
    private readonly settings;
    private readonly profiles;
    private readonly agentProfiles;
    private readonly connections;
    constructor(installation: Settings, settings: AgentSettingsRepository, profiles: LlmProfilesRepository, agentProfiles: AgentProfilesRepository, connections: ProviderConnectionsRepository);
    /** The agent that a conversation of this user in this organization starts with. */
    forConversation(person: Person, requested: RequestedAgent): Promise<ConversationAgent>;
    /** Whether a request of this user in this organization may name this agent profile. */
    hasProfile(person: Person, agentProfileId: string): Promise<boolean>;
    /** The model of a profile of the user or the organization; null if there is no profile of this name. */
    byProfile(person: Person, name: string): Promise<Llm | null>;
    private agentProfile;
    private connectionFor;
    private ofInstallation;
}
