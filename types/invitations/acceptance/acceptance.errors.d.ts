import { AppError } from '../../common';
/** 409: the invited address has an account, so that its key is needed. */
export declare class AccountExistsError extends AppError {
    constructor();
}
/** 400: the code is not the one that was emailed. */
export declare class WrongCodeError extends AppError {
    constructor(triesLeft: number);
}
/** 400: no code can be entered any more. */
export declare class CodeVoidError extends AppError {
    constructor();
}
/** 429: too many codes were emailed to the address. */
export declare class CodeLimitError extends AppError {
    constructor(retryAfterSeconds: number);
}
/** 403: a form that was sent from a page of another site. */
export declare class ForeignFormError extends AppError {
    constructor();
}
