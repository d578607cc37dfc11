import type { Caller, OrgContext } from '../../auth';
import { Clock } from '../../common';
import { DomainEvents } from '../../domain-events';
import { WebhookDisabling } from '../queue/webhook-disabling';
import { WebhookSecrets } from '../secrets/webhook-secrets';
import type { WebhookResponse, WebhookWithSecret } from './webhooks.dto';
import { WebhooksRepository } from './webhooks.repository';
/** Enables and disables webhooks and rotates their secrets (docs/webhooks.md#managing-webhooks). */
export declare class WebhookOperationsService {
    private readonly webhooks;
    private readonly disabling;
    private readonly secrets;
    private readonly events;
    private readonly clock;
    constructor(webhooks: WebhooksRepository, disabling: WebhookDisabling, secrets: WebhookSecrets, events: DomainEvents, clock: Clock);
    /**
     * Sends again what happens from now on; what failed while it was disabled can be replayed.
     * @throws WebhookNotFoundError
     */
    enable({ userId }: Caller, { orgId }: OrgContext, id: string): Promise<WebhookResponse>;
    /**
     * Sends nothing more: what is waiting fails.
     * @throws WebhookNotFoundError
     */
    disable({ orgId }: OrgContext, id: string): Promise<WebhookResponse>;
    /**
     * Gives it a new secret; for a day callbacks are signed with the present one as well.
     * @throws WebhookNotFoundError
     */
    rotateSecret({ userId }: Caller, { orgId }: OrgContext, id: string): Promise<WebhookWithSecret>;
    private changed;
}
