/** How far the start of a conversation has come: until it is `ready` its agent server does not know it. */
export type StartState = 'starting' | 'ready' | 'failed';
export declare class Conversation {
    id: string;
    orgId: string;
    createdByUserId: string;
    parentConversationId: string | null;
    sandboxId: string | null;
    ownSandbox: boolean;
    startState: StartState;
    title: string | null;
    sortTitle: string | null;
    sortModel: string | null;
    reportedTitle: string | null;
    forwardedTitle: string | null;
    llmModel: string | null;
    agentKind: string;
    executionStatus: string | null;
    selectedRepository: string | null;
    selectedBranch: string | null;
    gitProvider: string | null;
    trigger: string | null;
    /** The driver gives 64-bit integers as text. */
    prNumber: string[];
    prMerged: boolean | null;
    tags: object;
    accumulatedCost: number;
    promptTokens: string;
    completionTokens: string;
    cacheReadTokens: string;
    cacheWriteTokens: string;
    reasoningTokens: string;
    /** Tokens that the model can be given at once; 0 while nothing was reported. */
    contextWindow: string;
    /** Tokens of the agent's last call of its model. */
    perTurnTokens: string;
    /** What its agent server was given as the limit of its cost. */
    maxBudgetPerTask: number | null;
    /** The agent profile that it was started with, which may be gone. */
    launchedProfileId: string | null;
    launchedProfileRevision: number | null;
    createdAt: Date;
    updatedAt: Date;
    deletedAt: Date | null;
}
