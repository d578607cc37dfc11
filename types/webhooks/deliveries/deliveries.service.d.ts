import { Repository } from 'typeorm';
import type { OrgContext } from '../../auth';
import { Clock, type Page } from '../../common';
import { WebhooksRepository } from '../endpoints/webhooks.repository';
import { DeliveryStore } from '../queue/delivery-store';
import { LaneSignal } from '../queue/lane-signal';
import { WebhookAttempt } from '../record/webhook-attempt.entity';
import { WebhookDelivery } from '../record/webhook-delivery.entity';
import type { WebhookDeliveriesQuery, WebhookDeliveryDetails, WebhookDeliveryResponse, WebhookReplayed } from './deliveries.dto';
/** Most deliveries that one call replays. */
export declare const MAX_REPLAYED = 1000;
/** The deliveries of webhooks: read, tested, replayed (docs/webhooks.md#deliveries). */
export declare class DeliveriesService {
    private readonly webhooks;
    private readonly deliveries;
    private readonly attempts;
    private readonly store;
    private readonly signal;
    private readonly clock;
    constructor(webhooks: WebhooksRepository, deliveries: Repository<WebhookDelivery>, attempts: Repository<WebhookAttempt>, store: DeliveryStore, signal: LaneSignal, clock: Clock);
    /** Newest first. @throws WebhookNotFoundError */
    list({ orgId }: OrgContext, webhookId: string, { state, page_id, limit }: WebhookDeliveriesQuery): Promise<Page<WebhookDeliveryResponse>>;
    /** @throws WebhookNotFoundError, WebhookDeliveryNotFoundError */
    get({ orgId }: OrgContext, webhookId: string, deliveryId: string): Promise<WebhookDeliveryDetails>;
    /**
     * Adds a delivery of type `webhook.test`, whatever the filters.
     * @throws WebhookNotFoundError, WebhookDisabledError
     */
    test({ orgId }: OrgContext, webhookId: string): Promise<WebhookDeliveryResponse>;
    /**
     * Sends a delivery again, after what is waiting; a pending one stays as it is.
     * @throws WebhookNotFoundError, WebhookDeliveryNotFoundError, WebhookDisabledError
     */
    replay({ orgId }: OrgContext, webhookId: string, deliveryId: string): Promise<WebhookDeliveryResponse>;
    /**
     * Sends the failed deliveries since a time again, at most {@link MAX_REPLAYED} of them.
     * @throws WebhookNotFoundError, WebhookDisabledError
     */
    replayFailed({ orgId }: OrgContext, webhookId: string, since: Date): Promise<WebhookReplayed>;
    /** Runs a change after which there is something to deliver, and says so when it is committed. */
    private sent;
    private find;
}
