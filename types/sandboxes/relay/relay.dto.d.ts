/** A call for the agent server of a sandbox (docs/contract.md#relayed-calls). */
export declare class RelayedCall {
    host: string;
    method: 'GET' | 'POST';
    path: string;
    headers: Record<string, string>;
    body?: unknown;
    timeout_seconds?: number | null;
}
