import { CREDENTIAL_PROVIDERS, type CredentialProvider, PUBLIC_HOSTS } from '../credential-providers';
import {
  type ExemptHosts,
  GitAddressProblem,
  readFetchedAddress,
  readGitAddress,
  repositoryNames,
} from './git-address';

/** Providers whose servers may be below a path. */
const BELOW_PATHS: readonly string[] = ['gitlab', 'forgejo'] satisfies CredentialProvider[];

/** What providers name owners, projects and repositories; what an address of another form has is none. */
const NAME = /^(?!\.{1,2}$)(?!\s)[^\p{Cc}\p{Cs}/\\:*?<>|#;]+(?<!\s)$/u;

const isOwned = ({ length }: readonly string[]): boolean => length === 2;

/** Whether the names of an address at a provider's public host are those of a repository, and of nothing above or inside. */
const IS_REPOSITORY: Readonly<Record<CredentialProvider, (names: readonly string[]) => boolean>> = {
  github: isOwned,
  gitlab: (names) => names.length >= 2 && !names.includes('-'),
  bitbucket: isOwned,
  forgejo: isOwned,
  azure_devops: (names) => names.at(-2) === '_git' && (names.length === 3 || names.length === 4),
};

/** The hosts behind short names of repositories. */
export interface ProviderPlace {
  /** Null where nobody says: GitHub. */
  readonly provider: string | null;
  /** The addresses of the credentials for the provider at the one host it has, the nearest first; empty for its public host. */
  readonly connections: readonly string[];
}

/**
 * Reads what names a repository: `owner/repo` at the provider (of Azure DevOps `organization/project/repo`), or a whole
 * address.
 * @returns where it is cloned from
 * @throws GitAddressProblem for what no clone could take
 */
export function repositoryAddress(repository: string, place: ProviderPlace, hosts: ExemptHosts): string {
  const text = repository.trim();
  const whole = text.includes('://') ? text : shortAddress(text, place);
  const { url, names } = readFetchedAddress(whole, hosts);
  if (names.length === 0)
    throw new GitAddressProblem('the address does not end with the name of a repository');
  const { host } = new URL(url);
  const provider = CREDENTIAL_PROVIDERS.find((one) => PUBLIC_HOSTS[one] === host);
  if (provider !== undefined && !IS_REPOSITORY[provider](names))
    throw new GitAddressProblem(`the address is none of a repository, as ${host} has them`);
  return url;
}

function shortAddress(text: string, { provider, connections }: ProviderPlace): string {
  const known = provider ?? 'github';
  const host = Object.entries(PUBLIC_HOSTS).find(([name]) => name === known)?.[1];
  if (host === undefined)
    throw new GitAddressProblem(`a repository at ${known} needs its whole https address`);
  const names = text.split('/');
  const [owner = '', ...others] = names;
  const isAzure = known === 'azure_devops';
  if (!names.every((name) => NAME.test(name)) || (isAzure ? names.length !== 3 : names.length < 2))
    throw new GitAddressProblem(
      `the repository must be ${isAzure ? 'organization/project/repo' : 'owner/repo'} or an https address`,
    );
  const place = forgeOf(known, owner, connections) ?? `https://${host}`;
  if (isAzure) return `${place}/${pathOf([owner, others[0] ?? ''])}/_git/${pathOf(others.slice(1))}`;
  return `${place}/${pathOf(repositoryNames(names))}.git`;
}

function pathOf(names: readonly string[]): string {
  return names.map(encodeURIComponent).join('/');
}

/**
 * Where a provider is for an owner's repositories, according to the addresses of credentials: one that names the owner first, then
 * one of a whole host. What stands before the owner's name is where the server is; without it, all of it.
 * @returns null without credentials
 */
function forgeOf(provider: string, owner: string, connections: readonly string[]): string | null {
  const read = connections.map((connection) => {
    const { url, names } = readGitAddress(connection);
    const at = names.findLastIndex((name) => name.toLowerCase() === owner.toLowerCase());
    return {
      origin: new URL(url).origin,
      above: at === -1 ? names : names.slice(0, at),
      rank: at === -1 ? names.length : -1,
    };
  });
  const [nearest] = read.sort((one, other) => Math.min(one.rank, 1) - Math.min(other.rank, 1));
  if (nearest === undefined) return null;
  const isPublic = Object.values(PUBLIC_HOSTS).includes(new URL(nearest.origin).host);
  if (isPublic || !BELOW_PATHS.includes(provider)) return nearest.origin;
  return [nearest.origin, ...nearest.above.map(encodeURIComponent)].join('/');
}
