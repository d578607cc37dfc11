import { hexOf } from '../../common';
import type { ConversationRow } from './conversation-row';

/** The address of a conversation at its agent server (docs/contract.md#conversation-record). */
export function conversationUrl(agentServerUrl: string, conversationId: string): string {
  return `${agentServerUrl}/api/conversations/${conversationId}`;
}

/** The folder of a conversation inside its sandbox. */
export function conversationFolder(workingDir: string, conversationId: string): string {
  return `${workingDir}/${hexOf(conversationId)}`;
}

/** What of a conversation decides where its agent works. */
type StartedWith = Pick<ConversationRow, 'id' | 'selectedRepository' | 'startedRepository'>;

/** The folder that the agent of a conversation works in: that of its repository, or without one its own. */
export function workFolder(
  workingDir: string,
  { id, selectedRepository, startedRepository }: StartedWith,
): string {
  const folder = conversationFolder(workingDir, id);
  const repository = startedRepository ?? selectedRepository ?? '';
  return repository === '' ? folder : `${folder}/${repositoryFolder(repository)}`;
}

/** The name of the folder that a repository is cloned into, from its address or `owner/repo`. */
export function repositoryFolder(repository: string): string {
  const name = repository.trim().replace(/\/+$/, '').split('/').pop() ?? '';
  return name.replace(/\.git$/, '');
}
