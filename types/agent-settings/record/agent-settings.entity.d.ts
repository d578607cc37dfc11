import { type SecurityAnalyzer } from './security-analyzer';
/** Settings of a user, for all organizations or for one. Null: not set. */
export declare class AgentSettingsRow {
    id: string;
    userId: string | null;
    orgId: string | null;
    llmModel: string | null;
    llmBaseUrl: string | null;
    sealedLlmApiKey: string | null;
    condenserEnabled: boolean | null;
    condenserMaxSize: number | null;
    confirmationMode: boolean | null;
    securityAnalyzer: SecurityAnalyzer | null;
    maxIterations: number | null;
    language: string | null;
    disabledSkills: string[];
    enableSoundNotifications: boolean;
    gitUserName: string | null;
    gitUserEmail: string | null;
    userConsentsToAnalytics: boolean;
    /** Servers with tools for agents, which have secrets among their values. */
    sealedMcpConfig: string | null;
}
