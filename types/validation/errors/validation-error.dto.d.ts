/** One fault of a request (docs/contract.md#validation-errors). The name of the schema is the interface's. */
export declare class FaultEntry {
    loc: (string | number)[];
    msg: string;
    type: string;
    input?: unknown;
    ctx?: Record<string, unknown>;
}
/** What a request with faults is answered (docs/contract.md#validation-errors). */
export declare class HTTPValidationError {
    detail: FaultEntry[];
}
