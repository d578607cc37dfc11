import { AppError } from '../../common';
/** 400: the path is not in the conversation's folder (docs/contract.md#views-of-a-conversation). */
export declare class PathOutsideWorkspaceError extends AppError {
    constructor();
}
/** 404: there is no such file in the conversation's folder. */
export declare class FileNotFoundError extends AppError {
    constructor();
}
/** 409: the agent server refuses to switch the conversation's model. */
export declare class ModelNotSwitchedError extends AppError {
    constructor(reason: string);
}
