/** A call to a model, as it goes out. */
interface ModelCall {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly signal: AbortSignal;
}
/**
 * Calls a model by POST. An address that a caller chose must not lead to this machine or its network
 * (docs/sandboxes.md#isolation); the operator's own may.
 * @throws Error when there is no answer
 */
export declare function callModel({ url, isConfigured }: {
    readonly url: string;
    readonly isConfigured: boolean;
}, { headers, body, signal }: ModelCall): Promise<{
    status: number;
    text: string;
}>;
export {};
