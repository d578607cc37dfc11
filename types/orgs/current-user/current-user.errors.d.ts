import { AppError } from '../../common';
/** 403: keys are given to running sandboxes of the caller's own only (docs/contract.md#secrets-for-sandboxes). */
export declare class SandboxKeyRequiredError extends AppError {
    constructor();
}
