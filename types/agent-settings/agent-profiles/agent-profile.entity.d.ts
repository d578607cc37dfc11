/** A named agent of a user or an organization: the model profile it runs on. */
export declare class AgentProfileRow {
    id: string;
    userId: string | null;
    orgId: string | null;
    name: string;
    /** Name of a model profile; null for the owner's default model. */
    llmProfileRef: string | null;
    /** Incremented by each change. */
    revision: number;
    /** New conversations of its owner start with it. */
    isActive: boolean;
}
