/** Less than what Standard Webhooks recommends as the most: 20 kB. */
export declare const MAX_BODY_BYTES = 20000;
/** What a body is made of. */
export interface PayloadSource {
    readonly type: string;
    readonly occurredAt: Date;
    /** JSON of an object. */
    readonly data: string;
    /** The agent's event as it was received; undefined for other types, null when it is gone. */
    readonly event: string | null | undefined;
}
/** The body of a callback (docs/webhooks.md#delivery); an event that would make it too long is left out. */
export declare function bodyOf(source: PayloadSource): string;
