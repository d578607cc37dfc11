import { AppError } from '../../common';
import { ValidationError } from '../../validation';
/** Most webhooks of an organization. */
export declare const MAX_WEBHOOKS = 50;
/** 404: the organization has no such webhook. */
export declare class WebhookNotFoundError extends AppError {
    constructor();
}
/** 409: the organization has as many webhooks as it may have. */
export declare class TooManyWebhooksError extends AppError {
    constructor();
}
/** 409: nothing is sent to a webhook that is disabled. */
export declare class WebhookDisabledError extends AppError {
    constructor();
}
/** 422: callbacks may not go to the host of the address; without the address, which may hold a password. */
export declare function refusedAddress(reason: string): ValidationError;
