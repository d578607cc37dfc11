import { type OrgContext } from '../../auth';
import { WebhookPath } from '../endpoints/webhooks.dto';
import { WebhookDeliveriesQuery, WebhookDeliveryDetails, WebhookDeliveryPage, WebhookDeliveryPath, WebhookDeliveryResponse, WebhookReplay, WebhookReplayed } from './deliveries.dto';
import { DeliveriesService } from './deliveries.service';
export declare class DeliveriesController {
    private readonly deliveries;
    constructor(deliveries: DeliveriesService);
    testWebhook(path: WebhookPath, org: OrgContext): Promise<WebhookDeliveryResponse>;
    listWebhookDeliveries(path: WebhookPath, org: OrgContext, query: WebhookDeliveriesQuery): Promise<WebhookDeliveryPage>;
    getWebhookDelivery(path: WebhookDeliveryPath, org: OrgContext): Promise<WebhookDeliveryDetails>;
    replayWebhookDelivery(path: WebhookDeliveryPath, org: OrgContext): Promise<WebhookDeliveryResponse>;
    replayWebhookDeliveries(path: WebhookPath, org: OrgContext, body: WebhookReplay): Promise<WebhookReplayed>;
}
