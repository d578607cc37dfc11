import { AppError } from '../../../kernel/common';

/** 404: the webhook has no such delivery, or no longer. */
export class WebhookDeliveryNotFoundError extends AppError {
  constructor() {
    super(404, 'webhook_delivery_not_found', 'The webhook has no such delivery.');
  }
}
