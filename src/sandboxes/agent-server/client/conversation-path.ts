/** The route of a conversation, the prefix of the routes of its log and agent. */
export function conversationPath(conversationId: string): string {
  return `/api/conversations/${encodeURIComponent(conversationId)}`;
}
