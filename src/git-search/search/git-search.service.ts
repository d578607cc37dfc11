import { Injectable } from '@nestjs/common';
import { clampLimit, type Page, type Person, SecretBox } from '../../common';
import { CREDENTIAL_PROVIDERS, type OpenedCredential, ProviderCredentials } from '../../git-credentials';
import { credentialFor } from '../../skills';
import { GitRepositoryNotFoundError } from '../provider-calls/git-search.errors';
import type { ProviderSession } from '../provider-calls/provider-session';
import { ProviderSessions } from '../provider-calls/provider-sessions';
import { NOTHING, type ProviderApi, type ProviderPage, type WantedPage } from '../providers/provider-api';
import { PROVIDER_APIS } from '../providers/provider-apis';
import type {
  GitBranch,
  GitBranchSearch,
  GitRepository,
  GitRepositorySearch,
  GitSearch,
} from './git-search.dto';
import { SearchCursors } from './search-cursor';
import { SearchSlots } from './search-slots';
import { walk } from './search-walk';

/** For a whole search: interfaces give up after half a minute. */
const SEARCH_MS = 20_000;

/** Who searches, and the signal that nobody waits any more. */
export interface Searcher extends Person {
  readonly gone: AbortSignal;
}

/** A provider, and what somebody may search it with. */
interface Place {
  readonly api: ProviderApi;
  readonly credentials: readonly OpenedCredential[];
}

/** One page of a provider, for one credential. */
interface Call {
  readonly session: ProviderSession;
  readonly credential: OpenedCredential;
  readonly page: WantedPage;
}

/** Searches providers with the git credentials of a person (docs/contract.md#git-searches). */
@Injectable()
export class GitSearchService {
  private readonly cursors: SearchCursors;
  private readonly slots = new SearchSlots();

  constructor(
    private readonly credentials: ProviderCredentials,
    private readonly sessions: ProviderSessions,
    box: SecretBox,
  ) {
    this.cursors = new SearchCursors(box);
  }

  /** Owners of repositories. */
  async installations(searcher: Searcher, search: GitSearch): Promise<Page<string>> {
    const place = await this.placeOf(searcher, search);
    const found = await this.find(
      { searcher, search, asked: ['installations'] },
      place,
      ({ session, page }) => place.api.installations(session, page),
    );
    return { ...found, items: [...new Set(found.items)] };
  }

  /** Those that a credential would clone itself, so that none is found with two. */
  async repositories(searcher: Searcher, search: GitRepositorySearch): Promise<Page<GitRepository>> {
    const { installation_id: installation = null, provider } = search;
    const query = filled(search.query);
    const place = await this.placeOf(searcher, search);
    const asked = ['repositories', query, installation];
    return this.find({ searcher, search, asked }, place, async ({ session, credential, page }) => {
      const found = await place.api.repositories(session, { ...page, query, installation });
      const items = found.items
        .filter(({ full_name: name }) => credentialOf(place, searcher, name) === credential)
        .map((repository) => ({ ...repository, git_provider: provider }));
      return { items, next: found.next };
    });
  }

  /** @throws GitRepositoryNotFoundError */
  async branches(searcher: Searcher, search: GitBranchSearch): Promise<Page<GitBranch>> {
    const repository = search.repository.split('/');
    const query = filled(search.query);
    const place = await this.placeOf(searcher, search);
    const credential = credentialOf(place, searcher, search.repository);
    const own = { ...place, credentials: credential === null ? [] : [credential] };
    const asked = ['branches', query, search.repository];
    return this.find({ searcher, search, asked }, own, async ({ session, page }) => {
      const found = await place.api.branches(session, { ...page, repository, query });
      if (found === null) throw new GitRepositoryNotFoundError();
      return found;
    });
  }

  private async placeOf(searcher: Searcher, { provider: name }: GitSearch): Promise<Place> {
    const provider = CREDENTIAL_PROVIDERS.find((known) => known === name);
    // Of the others no credential can be.
    if (provider === undefined) return { api: PROVIDER_APIS.github, credentials: [] };
    const credentials = await this.credentials.forSearch(searcher, provider);
    return { api: PROVIDER_APIS[provider], credentials };
  }

  private async find<T>(
    { searcher, search, asked }: AskedSearch,
    { api, credentials }: Place,
    pageOf: (call: Call) => Promise<ProviderPage<T>>,
  ): Promise<Page<T>> {
    const kind = { person: searcher, asked: [search.provider, ...asked] };
    const start = search.page_id === undefined ? null : this.cursors.read(kind, search.page_id);
    const signal = AbortSignal.any([searcher.gone, AbortSignal.timeout(SEARCH_MS)]);
    const found = await this.slots.run(searcher.userId, () =>
      walk(credentials, { start, limit: clampLimit(search.limit) }, async (credential, page) => {
        const place = new URL(credential.url_prefix);
        const base = api.base(place);
        if (base === null) return NOTHING;
        const authorization = api.authorization(credential);
        const session = await this.sessions.open(base, { place, authorization, signal });
        try {
          return await pageOf({ session, credential, page });
        } finally {
          await session.close();
        }
      }),
    );
    const next = found.next === null ? null : this.cursors.write(kind, found.next);
    return { items: [...found.items], next_page_id: next };
  }
}

/** A search as it was asked for: of whom, and for what. */
interface AskedSearch {
  readonly searcher: Searcher;
  readonly search: GitSearch;
  /** What its pages belong to. */
  readonly asked: readonly (string | null)[];
}

/** The credential that a repository would be cloned with. */
function credentialOf(
  { api, credentials }: Place,
  { orgId }: Person,
  fullName: string,
): OpenedCredential | null {
  const [any] = credentials;
  if (any === undefined) return null;
  const url = api.cloneUrl(new URL(any.url_prefix), fullName.split('/'));
  return credentialFor(url, orgId, credentials);
}

function filled(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
