import type { WebhookSpec } from '../config/embedded-config';
import type { StoredEvent } from './event-log';
/**
 * Sends the events of one conversation to one webhook: in order, in batches, at least once. A batch that
 * fails for good goes back to the front of the queue; beyond its limit the oldest events are dropped. Unlike
 * the real server it tries again by itself then, not only when the next event comes.
 */
export declare class WebhookFeed {
    private readonly spec;
    private readonly sessionApiKey;
    private readonly conversationId;
    private queue;
    private timer;
    private chain;
    private readonly stopping;
    constructor(spec: WebhookSpec, sessionApiKey: string | null, conversationId: string);
    /** Takes one more event. */
    push(event: StoredEvent): void;
    /** Sends what the conversation is, at once and unbatched. */
    sendInfo(info: unknown): Promise<void>;
    /** Tries once more to send what is left, for a short time. */
    close(): Promise<void>;
    private arm;
    private flush;
    private drain;
    /** @returns whether it was taken, after all tries */
    private post;
    private tryPost;
}
