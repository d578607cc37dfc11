/** A named model with its API, of a user or an organization. */
export declare class LlmProfileRow {
    id: string;
    userId: string | null;
    orgId: string | null;
    name: string;
    model: string;
    baseUrl: string | null;
    sealedApiKey: string | null;
    /** Conversations of its owner run on it. */
    isActive: boolean;
}
