import { DataSource } from 'typeorm';
import type { Caller, OrgContext } from '../../auth';
import { Clock, type Page } from '../../common';
import { DomainEvents } from '../../domain-events';
import { WebhookAddresses } from '../addresses/webhook-addresses';
import { DeliveryStore } from '../queue/delivery-store';
import { WebhookSecrets } from '../secrets/webhook-secrets';
import type { WebhookCreate, WebhookResponse, WebhooksQuery, WebhookUpdate, WebhookWithSecret } from './webhooks.dto';
import { WebhooksRepository } from './webhooks.repository';
/** The webhooks of an organization (docs/webhooks.md#managing-webhooks). */
export declare class WebhooksService {
    private readonly database;
    private readonly webhooks;
    private readonly addresses;
    private readonly secrets;
    private readonly store;
    private readonly events;
    private readonly clock;
    constructor(database: DataSource, webhooks: WebhooksRepository, addresses: WebhookAddresses, secrets: WebhookSecrets, store: DeliveryStore, events: DomainEvents, clock: Clock);
    list({ orgId }: OrgContext, query: WebhooksQuery): Promise<Page<WebhookResponse>>;
    /** @throws WebhookNotFoundError */
    get({ orgId }: OrgContext, id: string): Promise<WebhookResponse>;
    /**
     * @returns the webhook with its secret, which nothing shows again
     * @throws ValidationError for an address that callbacks may not go to; TooManyWebhooksError
     */
    create({ userId }: Caller, { orgId }: OrgContext, body: WebhookCreate): Promise<WebhookWithSecret>;
    /**
     * Changes what is present in the body. At another address it is not failing.
     * @throws WebhookNotFoundError; ValidationError for an address that callbacks may not go to
     */
    update({ userId }: Caller, { orgId }: OrgContext, id: string, body: WebhookUpdate): Promise<WebhookResponse>;
    /**
     * Deletes it with its deliveries: first nothing more is sent, then they are deleted, and at last the webhook.
     * @throws WebhookNotFoundError
     */
    delete({ userId }: Caller, { orgId }: OrgContext, id: string): Promise<void>;
    private checkedUrl;
}
