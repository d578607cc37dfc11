import { AppError } from '../../common';
/** 404: the webhook has no such delivery, or no longer. */
export declare class WebhookDeliveryNotFoundError extends AppError {
    constructor();
}
