import { type Caller, type OrgContext } from '../../auth';
import { Success } from '../../http';
import { WebhookCreate, WebhookPage, WebhookPath, WebhookResponse, WebhooksPath, WebhooksQuery, WebhookUpdate, WebhookWithSecret } from './webhooks.dto';
import { WebhooksService } from './webhooks.service';
export declare class WebhooksController {
    private readonly webhooks;
    constructor(webhooks: WebhooksService);
    listWebhooks(_path: WebhooksPath, org: OrgContext, query: WebhooksQuery): Promise<WebhookPage>;
    createWebhook(_path: WebhooksPath, caller: Caller, org: OrgContext, body: WebhookCreate): Promise<WebhookWithSecret>;
    getWebhook(path: WebhookPath, org: OrgContext): Promise<WebhookResponse>;
    updateWebhook(path: WebhookPath, caller: Caller, org: OrgContext, body: WebhookUpdate): Promise<WebhookResponse>;
    deleteWebhook(path: WebhookPath, caller: Caller, org: OrgContext): Promise<Success>;
}
