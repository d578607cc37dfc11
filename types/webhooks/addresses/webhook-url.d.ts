/**
 * @returns what is wrong with the address of a webhook whatever its host, or null (docs/webhooks.md#addresses);
 *   {@link WebhookAddresses} judges the host
 */
export declare function urlProblem(text: string): string | null;
/** The port that a connection for an address goes to. */
export declare function portOf({ port, protocol }: URL): number;
