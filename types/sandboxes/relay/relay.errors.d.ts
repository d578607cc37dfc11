import { AppError } from '../../common';
/** 403: key and address are not those of a running sandbox of the caller (docs/contract.md#relayed-calls). */
export declare class RelayTargetRefusedError extends AppError {
    constructor();
}
/** 403: not one of the calls that are relayed. */
export declare class RelayCallRefusedError extends AppError {
    constructor();
}
