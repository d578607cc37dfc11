import { SecretBox } from '../../common';
/** The secrets that callbacks are signed with, sealed at rest. */
export declare class WebhookSecrets {
    private readonly box;
    constructor(box: SecretBox);
    /** A new secret, as Standard Webhooks writes it. */
    make(): string;
    seal(webhookId: string, secret: string): string;
    /** @throws Error when no key of the service fits */
    open(webhookId: string, sealed: string): string;
}
/** What a sealed secret is bound to. */
export declare function contextOf(webhookId: string): string;
