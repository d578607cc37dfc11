import { AppError } from '../../common';
/** One entry of the body of a validation error, its keys in the order in which they are answered. */
export interface RequestFault {
    readonly type: string;
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    /** What was sent; numbers in it may be `ExactNumber`s. */
    readonly input: unknown;
    readonly ctx?: Readonly<Record<string, unknown>>;
}
/** How a handler answers faults: see `ValidationStatus` and `PlainFaults`. */
export interface FaultResponse {
    readonly status: number;
    /** Entries carry `loc`, `msg` and `type` only. */
    readonly plain: boolean;
}
/** How many characters of JSON all `input`s of a response may take; beyond that, they are `null`. */
export declare const MAX_ECHO: number;
/**
 * The request is well-formed but not valid: `{"detail": [...]}` with every fault found
 * (docs/contract.md#validation-errors).
 */
export declare class ValidationError extends AppError {
    readonly faults: readonly RequestFault[];
    private readonly response;
    constructor(faults: readonly RequestFault[], response?: FaultResponse);
    toBody(): unknown;
    /** The JSON text of the response: unlike `toBody()` it repeats numbers as they were sent, and is bounded. */
    toJsonText(): string;
}
/** 400: the body is not text, or nests too deeply to be parsed. */
export declare class BodyParseError extends AppError {
    constructor();
}
