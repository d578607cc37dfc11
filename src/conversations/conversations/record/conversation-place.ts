import { hexOf } from '../../../kernel/common';
import type { ConversationRow } from './conversation-row';

/** The address of a conversation at its agent server (docs/contract.md#conversation-record). */
export function conversationUrl(agentServerUrl: string, conversationId: string): string {
  return `${agentServerUrl}/api/conversations/${conversationId}`;
}

/** The folder of a conversation inside its sandbox. */
export function conversationFolder(workingDir: string, conversationId: string): string {
  return `${workingDir}/${hexOf(conversationId)}`;
}

/** The columns that decide where the agent of a conversation works. */
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

/** The name of the folder that a repository is cloned into, from its address or `owner/repo`: any shell takes it. */
function repositoryFolder(repository: string): string {
  const last = repository.trim().replace(/\/+$/, '').split('/').pop() ?? '';
  const name = repository.includes('://') ? decoded(last) : last;
  const plain = name.replace(/\.git$/, '').replace(/[^A-Za-z0-9._-]+/g, '-');
  return /[A-Za-z0-9]/.test(plain) ? plain : 'repository';
}

/** A malformed escape stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
