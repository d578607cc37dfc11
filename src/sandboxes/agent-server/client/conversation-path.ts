/** The route of a conversation, which those of its log and of its agent begin with. */
export function conversationPath(conversationId: string): string {
  return `/api/conversations/${encodeURIComponent(conversationId)}`;
}
