import { AppError } from '../common';
/** 400: the key would expire at once (docs/contract.md#api-keys). */
export declare class KeyExpiryInvalidError extends AppError {
    constructor();
}
/** 403: a key cannot create one that outlives it (docs/contract.md#api-keys). */
export declare class KeyOutlivesMakerError extends AppError {
    constructor();
}
/** 404: the caller has no such key, or their own key does not cover its organization. */
export declare class KeyNotFoundError extends AppError {
    constructor();
}
/** 404: the caller has no such session, or their own key does not cover its organization. */
export declare class BrowserSessionNotFoundError extends AppError {
    constructor();
}
/** 409: the limit of keys per user is reached. */
export declare class TooManyKeysError extends AppError {
    constructor(limit: number);
}
/** 404: no such member for whom another service could get a key (docs/contract.md#keys-for-other-services). */
export declare class NoSuchMemberError extends AppError {
    constructor();
}
/** 429: another service has as many keys for a member as it may. */
export declare class TooManyServiceKeysError extends AppError {
    /** @param waitSeconds until the first of them expires */
    constructor(limit: number, waitSeconds: number);
}
