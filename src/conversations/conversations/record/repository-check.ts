import {
  type ExemptHosts,
  GitAddressProblem,
  type ProviderPlace,
  repositoryAddress,
} from '../../../agents/git-credentials';
import { RepositoryAddressInvalidError } from './conversations.errors';

/**
 * Refuses what no clone could ever take, before anything is made for it; whether a repository is there is found out when it is
 * cloned.
 * @param place where a short name leads
 * @throws RepositoryAddressInvalidError
 */
export function assertRepository(repository: string, place: ProviderPlace, hosts: ExemptHosts): void {
  if (repository.trim() === '') return;
  try {
    repositoryAddress(repository, place, hosts);
  } catch (error) {
    if (error instanceof GitAddressProblem) throw new RepositoryAddressInvalidError(error.message);
    throw error;
  }
}
