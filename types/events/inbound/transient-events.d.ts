/** The kind of events that a model's answer comes in while it is written; they are passed on and never stored. */
export declare const TRANSIENT_KIND = "StreamingDeltaEvent";
/** Hears the transient events of a conversation, as JSON texts. */
export type TransientHearer = (conversationId: string, events: readonly string[]) => void;
/** Passes on what agent servers tell and nobody stores (docs/contract.md#what-is-stored). */
export declare class TransientEvents {
    private readonly hearers;
    /** Calls back for transient events; must be quick. */
    hear(hearer: TransientHearer): void;
    /** Passes on some transient events of a conversation, in their order. */
    pass(conversationId: string, events: readonly string[]): void;
}
