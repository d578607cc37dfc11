import type { WebhookAttempt } from '../record/webhook-attempt.entity';
import type { WebhookDelivery } from '../record/webhook-delivery.entity';
import type { WebhookDeliveryDetails, WebhookDeliveryResponse } from './deliveries.dto';
/** A delivery as lists answer it. */
export declare function toDelivery(delivery: Omit<WebhookDelivery, 'data'>): WebhookDeliveryResponse;
/** A delivery with what was sent and its attempts. */
export declare function toDetails(delivery: WebhookDelivery, attempts: readonly WebhookAttempt[]): WebhookDeliveryDetails;
