import { Statement } from '../../database';
import { WebhookDelivery } from '../record/webhook-delivery.entity';
/** A delivery as lists have it. */
export type ListedDelivery = Omit<WebhookDelivery, 'data'>;
/**
 * The deliveries of an endpoint ($1), the newest first: those in a state ($2, or null for all), from one on ($3 and $4: when
 * it was made, and its id; null for the first page), so many ($5).
 */
export declare const DELIVERIES: Statement<ListedDelivery>;
/** The failed deliveries of an endpoint ($1) that were made at a time ($2) or later, the oldest first, so many ($3). */
export declare const FAILED_DELIVERIES: Statement<{
    readonly id: string;
}>;
