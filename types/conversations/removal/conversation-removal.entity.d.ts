/** A deleted conversation that its agent server may still have; the row goes when it is gone there, too. */
export declare class ConversationRemoval {
    conversationId: string;
    sandboxId: string;
    driver: string | null;
    baseUrl: string | null;
    startTaskId: string | null;
    /** Until then a start that was under way may still make it. */
    settlesAt: Date;
}
