import { PUBLIC_HOSTS } from '../../../git-credentials';
import { StartFailedError } from '../tasks/start-failed.error';

/** Where `owner/repo` is cloned from, for providers with one public host. */
const HOSTS: Readonly<Record<string, string>> = PUBLIC_HOSTS;

/** `organization/project/repository` of Azure DevOps, whose projects have names with spaces. */
const AZURE = /^(?!\.{1,2}\/)[A-Za-z0-9._-]+\/(?!\.{1,2}\/)[A-Za-z0-9._ -]+\/(?!\.{1,2}$)[A-Za-z0-9._-]+$/;

const SHORT = /^(?!\.{1,2}\/)[A-Za-z0-9._-]+(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+)+$/;

/** Where short names of repositories lead. */
export interface RepositoryPlace {
  readonly provider: string | null;
  /** Scheme and host of the provider for whom it is; null for its public host. */
  readonly origin: string | null;
}

/** A repository to clone and the name of the folder it goes into. */
export interface RepositoryAddress {
  readonly url: string;
  readonly folder: string;
}

/**
 * Reads `selected_repository`: `owner/repo` at the provider (of Azure DevOps `organization/project/repo`), or an https
 * address. Plain http is for hosts
 * the operator allowed only.
 * @throws StartFailedError for anything else; a name and password in an address are refused, because the
 *   address shows in responses
 */
export function repositoryAddress(
  repository: string,
  { provider, origin }: RepositoryPlace,
  allowedHosts: readonly string[],
): RepositoryAddress {
  const text = repository.trim();
  const url = text.includes('://')
    ? checkedAddress(text, allowedHosts)
    : checkedAddress(shortAddress(text, provider ?? 'github', origin), allowedHosts);
  const name = url.split('/').pop() ?? '';
  const folder = name.replace(/\.git$/, '');
  if (!/^[A-Za-z0-9._-]+$/.test(folder) || /^\.{1,2}$/.test(folder))
    throw new StartFailedError('The repository’s address does not end with the name of a repository.');
  return { url, folder };
}

function shortAddress(text: string, provider: string, origin: string | null): string {
  const host = HOSTS[provider];
  if (host === undefined)
    throw new StartFailedError(`Repositories at ${provider} need a whole address as selected_repository.`);
  const place = origin ?? `https://${host}`;
  if (provider === 'azure_devops' && AZURE.test(text)) {
    const [organization, project = '', name] = text.split('/');
    return `${place}/${organization}/${encodeURIComponent(project)}/_git/${name}`;
  }
  if (provider === 'azure_devops' || !SHORT.test(text))
    throw new StartFailedError('The repository must be owner/repo or an https address.');
  return `${place}/${text.replace(/\.git$/, '')}.git`;
}

function checkedAddress(text: string, allowedHosts: readonly string[]): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new StartFailedError('The repository must be owner/repo or an https address.');
  if (url.username !== '' || url.password !== '')
    throw new StartFailedError('The repository’s address must not carry a name or password.');
  if (url.protocol === 'http:' && !allowedHosts.includes(url.host))
    throw new StartFailedError('The repository’s address must be https.');
  return url.href.replace(/\/+$/, '');
}
