/** What all events have in common (docs/contract.md#event-kinds). */
export declare abstract class ConversationEvent {
    id: string;
    timestamp: string;
    source: string;
    parent_id?: string | null;
}
