import { WebhookPath } from '../endpoints/webhooks.dto';
import { type DeliveryState } from '../record/delivery-state';
/** Path of operations on one delivery. */
export declare class WebhookDeliveryPath extends WebhookPath {
    delivery_id: string;
}
/** Query of the list of deliveries. */
export declare class WebhookDeliveriesQuery {
    state: DeliveryState | null;
    page_id: string | null;
    limit: number;
}
/** Body of `POST …/replay`. */
export declare class WebhookReplay {
    since: Date;
}
/** Response of `POST …/replay`. */
export declare class WebhookReplayed {
    replayed: number;
    has_more: boolean;
}
/** One callback: what is sent, and how it stands. */
export declare class WebhookDeliveryResponse {
    id: string;
    type: string;
    event_kind: string | null;
    conversation_id: string | null;
    state: DeliveryState;
    attempt_count: number;
    last_error: string | null;
    occurred_at: string;
    created_at: string;
    completed_at: string | null;
    expires_at: string | null;
}
/** One request of a delivery, and what came of it. */
export declare class WebhookAttemptResponse {
    number: number;
    at: string;
    duration_ms: number;
    status: number | null;
    error: string | null;
    answer: string | null;
}
/** A delivery with what was sent and its attempts. */
export declare class WebhookDeliveryDetails extends WebhookDeliveryResponse {
    data: unknown;
    attempts: WebhookAttemptResponse[];
}
/** Response of `GET …/deliveries`. */
export declare class WebhookDeliveryPage {
    items: WebhookDeliveryResponse[];
    next_page_id: string | null;
}
