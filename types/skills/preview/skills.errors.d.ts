import { AppError } from '../../common';
/**
 * 429: as many previews run as may run at once, for this organization or in all
 * (docs/contract.md#marketplace-preview).
 */
export declare class TooManyPreviewsError extends AppError {
    constructor(retryAfterSeconds: number);
}
