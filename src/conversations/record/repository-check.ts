import { type ExemptHosts, GitAddressProblem, repositoryAddress } from '../../git-credentials';
import { RepositoryAddressInvalidError } from './conversations.errors';

/**
 * Refuses what no clone could ever take, before anything is made for it; whether a repository is there, and where the
 * provider has it for somebody, is found out when it is cloned.
 * @throws RepositoryAddressInvalidError
 */
export function assertRepository(
  repository: string | null | undefined,
  provider: string | null | undefined,
  hosts: ExemptHosts,
): void {
  if (!repository?.trim()) return;
  try {
    repositoryAddress(repository, { provider: provider ?? null, connections: [] }, hosts);
  } catch (error) {
    if (error instanceof GitAddressProblem) throw new RepositoryAddressInvalidError(error.message);
    throw error;
  }
}
