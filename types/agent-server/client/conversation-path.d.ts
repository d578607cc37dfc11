/** The route of a conversation, which those of its log and of its agent begin with. */
export declare function conversationPath(conversationId: string): string;
