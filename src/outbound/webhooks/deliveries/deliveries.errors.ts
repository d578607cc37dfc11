import { appError } from '../../../kernel/common';

/** 404: the webhook has no such delivery, or no longer. */
export const WebhookDeliveryNotFoundError = appError(
  404,
  'webhook_delivery_not_found',
  'The webhook has no such delivery.',
);
