import { type OpenedCredential, PUBLIC_HOSTS } from '../../git-credentials';
import type { ProviderSession } from '../provider-calls/provider-session';

/** A repository as all providers have it. */
export interface FoundRepository {
  readonly id: string;
  /** The repository of a start request: `owner/repo`, or as many parts as the provider has. */
  readonly full_name: string;
  readonly is_public: boolean;
  readonly stargazers_count: number | null;
  readonly pushed_at: string | null;
  readonly owner_type: 'user' | 'organization' | null;
  readonly main_branch: string | null;
}

/** A branch as all providers have it; what a provider leaves out is null. */
export interface FoundBranch {
  readonly name: string;
  readonly commit_sha: string;
  readonly protected: boolean | null;
  readonly last_push_date: string | null;
}

/** Which page of a provider's list: `next` is what the page before said, null for the first one. */
export interface WantedPage {
  readonly size: number;
  readonly next: string | null;
}

export interface WantedRepositories extends WantedPage {
  readonly query: string | null;
  readonly installation: string | null;
}

export interface WantedBranches extends WantedPage {
  /** The parts of the repository's full name. */
  readonly repository: readonly string[];
  readonly query: string | null;
}

/** A page of a provider: at most as many as were wanted, and how the next one is asked for. */
export interface ProviderPage<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export const NOTHING: ProviderPage<never> = { items: [], next: null };

/** Where the API of a server begins. */
export interface ApiBase {
  readonly url: URL;
  /** How many path segments of the credential's address belong to the server; the rest are owners. */
  readonly depth: number;
}

/** The API of a provider, as far as it is searched. What does not exist there is an empty page. */
export interface ProviderApi {
  /**
   * What the paths of the API begin with, for a credential's address: several where the address does not say whether its path
   * is the server's or an owner's, the deepest first; none where it does not say enough.
   */
  bases(address: URL): readonly ApiBase[];

  /** The header that identifies the holder of a credential. */
  authorization(credential: OpenedCredential): string;

  /** Owners of repositories: accounts, organizations, workspaces, groups or projects. */
  installations(api: ProviderSession, page: WantedPage): Promise<ProviderPage<string>>;

  repositories(api: ProviderSession, wanted: WantedRepositories): Promise<ProviderPage<FoundRepository>>;

  /** @returns null where there is no such repository */
  branches(api: ProviderSession, wanted: WantedBranches): Promise<ProviderPage<FoundBranch> | null>;
}

/** The API of a server that is at the root of its host. */
export function atRoot({ origin }: URL, api: string): readonly ApiBase[] {
  return [{ url: new URL(`${origin}${api}`), depth: 0 }];
}

/** The APIs of a server that may be below a path, of which the address names the beginning. */
export function belowPath(address: URL, api: string): readonly ApiBase[] {
  const names = address.pathname.split('/').filter((name) => name !== '');
  const isPublic = Object.values(PUBLIC_HOSTS).includes(address.host);
  const depths = isPublic ? [0] : [...names.keys(), names.length].reverse();
  return depths.map((depth) => ({
    url: new URL(`${address.origin}/${[...names.slice(0, depth), api.slice(1)].join('/')}`),
    depth,
  }));
}

/** Basic authentication. */
export function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}
