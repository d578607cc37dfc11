/** Messages that wait for their conversation, and their delivery. */
export declare class PendingMessagesModule {
}
