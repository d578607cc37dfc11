/**
 * An error reported to the caller: a status, a machine-readable code and one sentence
 * (docs/contract.md#errors). Features declare theirs in `<module>.errors.ts`; nothing else of an error ever
 * reaches a response.
 */
export declare class AppError extends Error {
    readonly status: number;
    readonly code: string;
    readonly headers: Readonly<Record<string, string>>;
    constructor(status: number, code: string, detail: string, headers?: Readonly<Record<string, string>>, options?: ErrorOptions);
    /** Whether the requested change may have been made in spite of the error. */
    get mayHaveTakenEffect(): boolean;
    /** The JSON body of the response. */
    toBody(): unknown;
}
/** 503 with `Retry-After`: a dependency is unavailable, and the same request may succeed later. */
export declare class ServiceUnavailableError extends AppError {
    constructor(detail: string, code?: string, retryAfterSeconds?: number, options?: ErrorOptions);
}
