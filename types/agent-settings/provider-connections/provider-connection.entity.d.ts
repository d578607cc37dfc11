/** How an organization reaches the API of a provider of models. */
export declare class ProviderConnectionRow {
    id: string;
    orgId: string;
    /** The prefix of its models' names. */
    provider: string;
    baseUrl: string | null;
    sealedApiKey: string | null;
}
