import { AppError } from '../common';
/** 404: you have no such secret (docs/contract.md#secrets). */
export declare class SecretNotFoundError extends AppError {
    constructor();
}
/** 409: a secret of this name exists already. */
export declare class SecretExistsError extends AppError {
    constructor();
}
/** 409: the limit of secrets per user is reached. */
export declare class TooManySecretsError extends AppError {
    constructor(limit: number);
}
/** 403: a key bound to one organization may not change what applies to all of its user's. */
export declare class SecretOfAllOrganizationsError extends AppError {
    constructor();
}
