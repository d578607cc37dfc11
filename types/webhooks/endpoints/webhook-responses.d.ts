import type { Webhook } from '../record/webhook.entity';
import type { WebhookResponse } from './webhooks.dto';
/** A webhook as it is answered. @param now a previous secret that has ended by then is not shown */
export declare function toResponse(webhook: Webhook, now: Date): WebhookResponse;
