import { type ProviderAnswer } from './provider-answer';
/** Parameters of a call; what is null is left out. */
export type Parameters = Readonly<Record<string, string | number | boolean | null>>;
/** What goes along with every call. */
export interface SessionOptions {
    /** The checked addresses of the host: the name is not resolved again. */
    readonly addresses: readonly string[];
    /** Where the credential is for. */
    readonly place: URL;
    readonly authorization: string;
    readonly signal: AbortSignal;
}
/** The calls of one search to the host of one provider: one connection, closed with it. */
export declare class ProviderSession {
    readonly base: URL;
    private readonly options;
    private readonly client;
    /** @param base what the paths of the API begin with */
    constructor(base: URL, options: SessionOptions);
    /**
     * @param segments of the path below the base, not yet escaped
     * @returns null for what does not exist
     * @throws GitCredentialRefusedError, GitProviderUnavailableError, GitProviderFailedError
     */
    get(segments: readonly string[], parameters?: Parameters): Promise<ProviderAnswer | null>;
    /** The owner of repositories that the credential is for, where its address names one. */
    get owner(): string | null;
    /**
     * Whether the credential is for a name, as its address says; names are the same in any case.
     * @param level of the name in the path of the address
     */
    isFor(name: string, level?: number): boolean;
    private named;
    close(): Promise<void>;
    /** @returns where it is redirected to, the answer, or null for what does not exist */
    private call;
}
