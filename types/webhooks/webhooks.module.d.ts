/** Endpoints of organizations that are called back when something happens (docs/webhooks.md). */
export declare class WebhooksModule {
}
