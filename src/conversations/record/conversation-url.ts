/** The address of a conversation at its agent server (docs/contract.md#conversation-record). */
export function conversationUrl(agentServerUrl: string, conversationId: string): string {
  return `${agentServerUrl}/api/conversations/${conversationId}`;
}
