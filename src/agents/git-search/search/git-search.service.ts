import { Inject, Injectable } from '@nestjs/common';
import { clampLimit, type Page, type Person, SecretBox, KeyedSemaphore } from '../../../kernel/common';
import { organizationShare, SETTINGS, type Settings } from '../../../kernel/config';
import {
  CREDENTIAL_PROVIDERS,
  GitAddressProblem,
  type OpenedCredential,
  ProviderCredentials,
  readGitAddress,
  repositoryAddress,
} from '../../git-credentials';
import { credentialFor, Destinations } from '../../skills';
import { GitRepositoryNotFoundError, TooManyGitSearchesError } from '../provider-calls/provider-answer';
import type { ProviderSession } from '../provider-calls/provider-session';
import { ProviderSessions } from '../provider-calls/provider-sessions';
import {
  type ApiBase,
  NOTHING,
  type ProviderApi,
  type ProviderPage,
  type WantedPage,
} from '../providers/provider-api';
import { PROVIDER_APIS } from '../providers/provider-apis';
import type {
  GitBranch,
  GitBranchSearch,
  GitRepository,
  GitRepositorySearch,
  GitSearch,
} from './git-search.dto';
import { SearchCursors, type SearchPlace } from './search-cursor';

/** How many pages of a provider are read for one of ours when most of their entries are filtered out. */
const MAX_PAGES = 5;

/** The results of one search, and where it continues. */
interface Found<T> {
  readonly items: readonly T[];
  readonly next: SearchPlace | null;
}

/**
 * Fills a page with what one credential after the other finds. The size of the provider's pages stays the same from
 * one to the next, because they are counted in it.
 * @param start null for the beginning
 * @param pageOf what a credential finds on a page, without what is left out
 */
async function walk<T>(
  credentials: readonly OpenedCredential[],
  { start, limit }: { readonly start: SearchPlace | null; readonly limit: number },
  pageOf: (credential: OpenedCredential, page: WantedPage) => Promise<ProviderPage<T>>,
): Promise<Found<T>> {
  const items: T[] = [];
  let place = start ?? beginning(credentials[0], limit);
  for (let pages = 0; place !== null && pages < MAX_PAGES; pages++) {
    const { credential: id, next, size } = place;
    if (items.length > 0 && items.length + size > limit) break;
    const index = credentials.findIndex((credential) => credential.id === id);
    const credential = credentials[index];
    if (credential === undefined) return { items, next: null };
    const page = await pageOf(credential, { next, size });
    items.push(...page.items);
    place =
      page.next === null
        ? beginning(credentials[index + 1], Math.max(1, limit - items.length))
        : { credential: id, next: page.next, size };
  }
  return { items, next: place };
}

function beginning(credential: OpenedCredential | undefined, size: number): SearchPlace | null {
  return credential === undefined ? null : { credential: credential.id, next: null, size };
}

/** For a whole search: interfaces give up after half a minute. */
const SEARCH_MS = 20_000;

/** Searches at once: each holds an answer of a provider in memory. */
const AT_ONCE = 40;
const AT_ONCE_PER_USER = 6;

/** The searching user, and the signal that the client has disconnected. */
interface Searcher extends Person {
  readonly gone: AbortSignal;
}

/** A provider, and what somebody may search it with. */
interface Place {
  readonly provider: string;
  readonly api: ProviderApi;
  readonly credentials: readonly OpenedCredential[];
}

/** One page of a provider, for one credential. */
interface Call {
  readonly session: ProviderSession;
  readonly credential: OpenedCredential;
  /** How many path segments of addresses come before owners. */
  readonly depth: number;
  readonly page: WantedPage;
}

/** Searches providers with the git credentials of a person (docs/contract.md#git-searches). */
@Injectable()
export class GitSearchService {
  private readonly cursors: SearchCursors;
  private readonly shares: KeyedSemaphore<'user' | 'organization' | 'replica'>;

  constructor(
    private readonly credentials: ProviderCredentials,
    private readonly sessions: ProviderSessions,
    private readonly destinations: Destinations,
    box: SecretBox,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.cursors = new SearchCursors(box);
    this.shares = new KeyedSemaphore(
      { user: AT_ONCE_PER_USER, organization: organizationShare(AT_ONCE, settings), replica: AT_ONCE },
      () => new TooManyGitSearchesError(),
    );
  }

  /** Owners of repositories. */
  async installations(searcher: Searcher, search: GitSearch): Promise<Page<string>> {
    const place = await this.placeOf(searcher, search);
    const found = await this.find(
      { searcher, search, scope: ['installations'] },
      place,
      ({ session, page }) => place.api.installations(session, page),
    );
    return { ...found, items: [...new Set(found.items)] };
  }

  /** Repositories that a credential would clone itself, so that none is listed twice. */
  async repositories(searcher: Searcher, search: GitRepositorySearch): Promise<Page<GitRepository>> {
    const { installation_id: installation = null, provider } = search;
    const query = filled(search.query);
    const place = await this.placeOf(searcher, search);
    const scope = ['repositories', query, installation];
    return this.find({ searcher, search, scope }, place, async ({ session, credential, depth, page }) => {
      const found = await place.api.repositories(session, { ...page, query, installation });
      const items = found.items
        .filter(({ full_name: name }) => {
          const cloned = this.clonedWith(place, searcher, name);
          return cloned?.credential === credential && isOfServer(cloned.url, name, depth);
        })
        .map((repository) => ({ ...repository, git_provider: provider }));
      return { items, next: found.next };
    });
  }

  /** @throws GitRepositoryNotFoundError */
  async branches(searcher: Searcher, search: GitBranchSearch): Promise<Page<GitBranch>> {
    const repository = search.repository.split('/');
    const query = filled(search.query);
    const place = await this.placeOf(searcher, search);
    const cloned = this.clonedWith(place, searcher, search.repository);
    const own = { ...place, credentials: cloned === null ? [] : [cloned.credential] };
    const scope = ['branches', query, search.repository];
    return this.find({ searcher, search, scope }, own, async ({ session, depth, page }) => {
      if (cloned === null || !isOfServer(cloned.url, search.repository, depth)) return NOTHING;
      const found = await place.api.branches(session, { ...page, repository, query });
      if (found === null) throw new GitRepositoryNotFoundError();
      return found;
    });
  }

  private async placeOf(searcher: Searcher, { provider: name }: GitSearch): Promise<Place> {
    const provider = CREDENTIAL_PROVIDERS.find((known) => known === name);
    // No credential can belong to the other providers.
    if (provider === undefined) return { provider: name, api: PROVIDER_APIS.github, credentials: [] };
    const credentials = await this.credentials.forSearch(searcher, provider);
    return { provider, api: PROVIDER_APIS[provider], credentials };
  }

  private async find<T>(
    { searcher, search, scope }: ScopedSearch,
    { api, credentials }: Place,
    pageOf: (call: Call) => Promise<ProviderPage<T>>,
  ): Promise<Page<T>> {
    const kind = { person: searcher, scope: [search.provider, ...scope] };
    const start = search.page_id === undefined ? null : this.cursors.read(kind, search.page_id);
    const signal = AbortSignal.any([searcher.gone, AbortSignal.timeout(SEARCH_MS)]);
    const { userId: user, orgId: organization } = searcher;
    const found = await this.shares.during({ user, organization, replica: '' }, () =>
      walk(credentials, { start, limit: clampLimit(search.limit) }, async (credential, page) => {
        const opened = await this.sessionFor(api, credential, signal);
        if (opened === null) return NOTHING;
        try {
          return await pageOf({ ...opened, credential, page });
        } finally {
          await opened.session.close();
        }
      }),
    );
    const next = found.next === null ? null : this.cursors.write(kind, found.next);
    return { items: [...found.items], next_page_id: next };
  }

  /** The API that a credential's address leads to; null where the address does not say enough. */
  private async sessionFor(
    api: ProviderApi,
    credential: OpenedCredential,
    signal: AbortSignal,
  ): Promise<Pick<Call, 'session' | 'depth'> | null> {
    const { url, names } = readGitAddress(credential.url_prefix);
    const authorization = api.authorization(credential);
    const open = ({ url: base, depth }: ApiBase): Promise<ProviderSession> =>
      this.sessions.open(base, { names: names.slice(depth), authorization, signal });
    const bases = api.bases(new URL(url));
    for (const [index, base] of bases.entries()) {
      const session = await open(base);
      if (index === bases.length - 1 || (await isApi(session))) return { session, depth: base.depth };
    }
    return null;
  }

  /** How a repository would be cloned; null where it would not be with a credential. */
  private clonedWith(
    { provider, credentials }: Place,
    { orgId }: Person,
    fullName: string,
  ): { readonly url: string; readonly credential: OpenedCredential } | null {
    try {
      const connections = credentials.map(({ url_prefix: address }) => address);
      const url = repositoryAddress(fullName, { provider, connections }, this.destinations);
      const credential = credentialFor(url, orgId, credentials);
      return credential === null ? null : { url, credential };
    } catch (error) {
      if (error instanceof GitAddressProblem) return null;
      throw error;
    }
  }
}

/** A search, who makes it, and which pages belong to it. */
interface ScopedSearch {
  readonly searcher: Searcher;
  readonly search: GitSearch;
  /** What its page ids are bound to. */
  readonly scope: readonly (string | null)[];
}

/** Whether an address is below the server that it was searched at, where its owners stand at this depth. */
function isOfServer(url: string, fullName: string, depth: number): boolean {
  return readGitAddress(url).names[depth] === fullName.split('/')[0];
}

/** Whether a session is at an API; one that is not is closed. */
async function isApi(session: ProviderSession): Promise<boolean> {
  const isThere = await session.isThere().catch(async (error: unknown) => {
    await session.close();
    throw error;
  });
  if (!isThere) await session.close();
  return isThere;
}

function filled(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
