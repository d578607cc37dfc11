import { hexOf } from '../../common';

/** The address of a conversation at its agent server (docs/contract.md#conversation-record). */
export function conversationUrl(agentServerUrl: string, conversationId: string): string {
  return `${agentServerUrl}/api/conversations/${conversationId}`;
}

/** The folder of a conversation inside its sandbox. */
export function conversationFolder(workingDir: string, conversationId: string): string {
  return `${workingDir}/${hexOf(conversationId)}`;
}

/** The folder that the agent of a conversation works in: that of its repository, or without one its own. */
export function workFolder(
  workingDir: string,
  { id, selectedRepository }: { readonly id: string; readonly selectedRepository: string | null },
): string {
  const folder = conversationFolder(workingDir, id);
  return selectedRepository === null ? folder : `${folder}/${repositoryFolder(selectedRepository)}`;
}

/** The name of the folder that a repository is cloned into, from its address or `owner/repo`. */
export function repositoryFolder(repository: string): string {
  const name = repository.trim().replace(/\/+$/, '').split('/').pop() ?? '';
  return name.replace(/\.git$/, '');
}
