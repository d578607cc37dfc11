/** The address of a conversation at its agent server (decisions 9). */
export function conversationUrl(agentServerUrl: string, conversationId: string): string {
  return `${agentServerUrl}/api/conversations/${conversationId}`;
}
