import { type AgentServer, AgentServerClient } from '../../../agent-server';
import { ComposedMarketplaces } from '../../../orgs';
import { type AgentSkill } from './agent-skill';
/** What the organization, the user and the repository bring to a conversation. */
export interface SkillSetupResult {
    /** As the agent takes them: project skills, ready to be used. */
    readonly skills: readonly AgentSkill[];
    /** Composed registrations, for the agent server to load plugins from. */
    readonly registrations: readonly unknown[];
    readonly maxBudgetPerTask: number | null;
    /** What had to be left out, for the task's `detail`. */
    readonly notes: readonly string[];
}
/**
 * Finds what a starting conversation works with in addition to its repository
 * (docs/contract.md#composition-of-marketplaces).
 */
export declare class SkillSetup {
    private readonly agentServers;
    private readonly marketplaces;
    constructor(agentServers: AgentServerClient, marketplaces: ComposedMarketplaces);
    /** @param folder where the conversation works: its project skills count */
    setUp(target: AgentServer, folder: string, owner: {
        readonly orgId: string;
        readonly userId: string;
    }, signal: AbortSignal): Promise<SkillSetupResult>;
    private projectSkills;
}
