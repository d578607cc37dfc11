import { appError } from '../../../kernel/common';
import { ValidationError } from '../../../kernel/validation';

/** Most webhooks of an organization. */
export const MAX_WEBHOOKS = 50;

/** 404: the organization has no such webhook. */
export const WebhookNotFoundError = appError(
  404,
  'webhook_not_found',
  'The organization has no such webhook.',
);

/** 409: the organization has as many webhooks as it may have. */
export const TooManyWebhooksError = appError(
  409,
  'too_many_webhooks',
  `The organization has ${MAX_WEBHOOKS} webhooks, which is the most there may be.`,
);

/** 409: nothing is sent to a webhook that is disabled. */
export const WebhookDisabledError = appError(
  409,
  'webhook_disabled',
  'The webhook is disabled: enable it first.',
);

/** 422: callbacks may not go to the host of the address; without the address, which may hold a password. */
export function refusedAddress(reason: string): ValidationError {
  const fault = { type: 'value_error', loc: ['body', 'url'], msg: `Value error, ${reason}`, input: null };
  return new ValidationError([fault], { status: 422, plain: true });
}
