import { type ConversationAgent } from '../../../agent-settings';
/** What a conversation's start call is made of. */
export interface AgentRequestParts {
    readonly conversationId: string;
    readonly taskId: string;
    readonly workingDir: string;
    /** What it runs on, and how. */
    readonly agent: ConversationAgent;
    /** The model where nothing names one; null where one has to be named. */
    readonly builtInModel: string | null;
    readonly plans: boolean;
    readonly maxBudget: number | null;
    readonly plugins: readonly unknown[];
    /** What the agent reads of their parameters. */
    readonly pluginParameters: string | null;
    /** What the request adds to the instructions of the agent. */
    readonly systemMessageSuffix: string | null;
    /** As the agent server found them, for the context of the agent. */
    readonly skills: readonly unknown[];
    /** Marketplaces to load plugins from. */
    readonly registrations: readonly unknown[];
    readonly secrets: Readonly<Record<string, string>>;
    readonly title: string | null;
}
/**
 * The body of the call that starts a conversation at its agent server. The initial message is not in it:
 * it is the first of the queue (docs/contract.md#start-request).
 * @throws StartFailedError when no model is known and the agent server needs one
 */
export declare function agentRequest(parts: AgentRequestParts): Record<string, unknown>;
