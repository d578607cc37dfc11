/** An event as an agent server gave it, ready to be stored. */
export interface ReceivedEvent {
    readonly id: string;
    readonly kind: string;
    readonly occurredAt: Date;
    /** The JSON text as it came. */
    readonly payload: string;
    /** The parsed text, for what its content moves. */
    readonly content: Readonly<Record<string, unknown>>;
}
/**
 * Reads one event.
 * @param payload its JSON text
 * @param receivedAt replaces a time that is missing or unreadable
 * @returns null for what is no object, carries no id, or is larger than is stored (docs/contract.md#text-limits)
 */
export declare function readEvent(payload: string, receivedAt: Date): ReceivedEvent | null;
/** The id an event is stored under: its own, or the digest of one that is too long for an index. */
export declare function storedEventId(id: string): string;
