/** The secrets of webhooks. */
export declare class WebhookSecretsModule {
}
