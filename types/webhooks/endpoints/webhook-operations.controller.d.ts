import { type Caller, type OrgContext } from '../../auth';
import { WebhookOperationsService } from './webhook-operations.service';
import { WebhookPath, WebhookResponse, WebhookWithSecret } from './webhooks.dto';
export declare class WebhookOperationsController {
    private readonly webhooks;
    constructor(webhooks: WebhookOperationsService);
    disableWebhook(path: WebhookPath, org: OrgContext): Promise<WebhookResponse>;
    enableWebhook(path: WebhookPath, caller: Caller, org: OrgContext): Promise<WebhookResponse>;
    rotateWebhookSecret(path: WebhookPath, caller: Caller, org: OrgContext): Promise<WebhookWithSecret>;
}
