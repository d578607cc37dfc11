import { McpServerView } from '../mcp/mcp.dto';
import { type SecurityAnalyzer } from '../record/security-analyzer';
/** The model as shown: without its key. */
export declare class LlmSettings {
    model: string | null;
    base_url: string | null;
}
/** When histories are condensed. */
export declare class CondenserSettings {
    enabled: boolean;
    max_size: number;
}
/** Settings of a conversation's agent. */
export declare class AgentSettingsView {
    agent_kind: 'openhands';
    llm: LlmSettings;
    condenser: CondenserSettings;
    mcp_config: Record<string, McpServerView>;
}
/** Settings of a conversation. */
export declare class ConversationSettingsView {
    confirmation_mode: boolean;
    security_analyzer: SecurityAnalyzer | null;
    max_iterations: number | null;
}
/** A user's settings as they apply in the effective organization (docs/contract.md#agent-settings). */
export declare class UserSettings {
    agent_settings: AgentSettingsView;
    conversation_settings: ConversationSettingsView;
    llm_model: string | null;
    llm_base_url: string | null;
    llm_api_key_set: boolean;
    search_api_key_set: boolean;
    mcp_config: Record<string, McpServerView>;
    provider_tokens_set: Record<string, unknown>;
    language: string | null;
    disabled_skills: string[];
    enable_sound_notifications: boolean;
    git_user_name: string | null;
    git_user_email: string | null;
    title_llm_profile: string | null;
    user_consents_to_analytics: boolean;
}
/** Changes to the model; null resets a field. */
export declare class LlmSettingsDiff {
    model?: string | null;
    base_url?: string | null;
    api_key?: string | null;
}
/** Changes to the condenser; null resets a field. */
export declare class CondenserSettingsDiff {
    enabled?: boolean | null;
    max_size?: number | null;
}
/** Changes to the agent settings: a merge patch, in which null resets a field. */
export declare class AgentSettingsDiff {
    agent_kind?: 'openhands' | null;
    llm?: LlmSettingsDiff | null;
    condenser?: CondenserSettingsDiff | null;
    mcp_config?: Record<string, unknown> | null;
}
/** Changes to the conversation settings; null resets a field. */
export declare class ConversationSettingsDiff {
    confirmation_mode?: boolean | null;
    security_analyzer?: SecurityAnalyzer | null;
    max_iterations?: number | null;
}
/** Changes to a user's settings; absent fields stay (docs/contract.md#agent-settings). */
export declare class UserSettingsUpdate extends ConversationSettingsDiff {
    agent_settings_diff?: AgentSettingsDiff | null;
    conversation_settings_diff?: ConversationSettingsDiff | null;
    llm_model?: string | null;
    llm_base_url?: string | null;
    llm_api_key?: string | null;
    enable_default_condenser?: boolean | null;
    condenser_max_size?: number | null;
    language?: string | null;
    disabled_skills?: string[] | null;
    enable_sound_notifications?: boolean | null;
    git_user_name?: string | null;
    git_user_email?: string | null;
    user_consents_to_analytics?: boolean | null;
}
