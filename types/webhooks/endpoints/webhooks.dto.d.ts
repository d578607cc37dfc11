import { type DisabledReason } from '../record/disabled-reason';
/** Path of operations on an organization's webhooks. */
export declare class WebhooksPath {
    org_id: string;
}
/** Path of operations on one webhook. */
export declare class WebhookPath extends WebhooksPath {
    webhook_id: string;
}
/** Query of the list of webhooks. */
export declare class WebhooksQuery {
    page_id: string | null;
    limit: number;
}
/** Body of `POST …/webhooks`. */
export declare class WebhookCreate {
    url: string;
    kinds: string[];
    description: string;
    conversation_ids: string[] | null;
    tags: Record<string, string> | null;
}
/** Body of `PATCH …/webhooks/{webhook_id}`; what is absent stays. */
export declare class WebhookUpdate {
    url?: string;
    kinds?: string[];
    description?: string;
    conversation_ids?: string[] | null;
    tags?: Record<string, string> | null;
}
/** A webhook, without its secret. */
export declare class WebhookResponse {
    id: string;
    url: string;
    description: string;
    kinds: string[];
    conversation_ids: string[] | null;
    tags: Record<string, string> | null;
    enabled: boolean;
    disabled_reason: DisabledReason | null;
    disabled_at: string | null;
    failing_since: string | null;
    previous_secret_until: string | null;
    created_by_user_id: string | null;
    created_at: string;
    updated_at: string;
}
/** A webhook with its secret: answered when it is made and when the secret is rotated, and never again. */
export declare class WebhookWithSecret extends WebhookResponse {
    secret: string;
}
/** Response of `GET …/webhooks`. */
export declare class WebhookPage {
    items: WebhookResponse[];
    next_page_id: string | null;
}
