/** Which addresses callbacks may go to, and connections that go nowhere else. */
export declare class WebhookAddressesModule {
}
