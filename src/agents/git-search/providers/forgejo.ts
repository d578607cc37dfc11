import { z } from 'zod';
import { searchText } from '../../../kernel/common';
import type { OpenedCredential } from '../../git-credentials';
import { nextPage, read } from '../provider-calls/provider-answer';
import type { ProviderSession } from '../provider-calls/provider-session';
import {
  type ApiBase,
  belowPath,
  type FoundBranch,
  type FoundRepository,
  NOTHING,
  type ProviderApi,
  type ProviderPage,
  type WantedBranches,
  type WantedPage,
  type WantedRepositories,
} from './provider-api';

const user = z.object({ id: z.number() });
const organization = z.object({ username: z.string() });
const repository = z.object({
  id: z.number(),
  full_name: z.string(),
  private: z.boolean(),
  stars_count: z.number().nullish(),
  updated_at: z.string().nullish(),
  default_branch: z.string().nullish(),
});
const found = z.object({ data: z.array(repository) });
const branch = z.object({
  name: z.string(),
  commit: z.object({ id: z.string(), timestamp: z.string().nullish() }).nullish(),
  protected: z.boolean(),
});

/** Forgejo and Gitea, which have one API. Installations are organizations. */
export class Forgejo implements ProviderApi {
  bases(address: URL): readonly ApiBase[] {
    return belowPath(address, '/api/v1');
  }

  authorization({ password }: OpenedCredential): string {
    return `token ${password}`;
  }

  async installations(api: ProviderSession, { size, next }: WantedPage): Promise<ProviderPage<string>> {
    const answer = await api.get(['user', 'orgs'], { limit: size, page: next });
    if (answer === null) return NOTHING;
    const names = read(z.array(organization), answer).map(({ username }) => username);
    return { items: names.filter((name) => api.isFor(name)), next: nextPage(answer) };
  }

  async repositories(
    api: ProviderSession,
    { query, installation, size, next }: WantedRepositories,
  ): Promise<ProviderPage<FoundRepository>> {
    const page = { limit: size, page: next };
    if (query === null) {
      const path = installation === null ? ['user', 'repos'] : ['orgs', installation, 'repos'];
      const answer = await api.get(path, page);
      return answer === null ? NOTHING : listed(read(z.array(repository), answer), nextPage(answer));
    }
    const owner = await api.get(installation === null ? ['user'] : ['orgs', installation]);
    if (owner === null) return NOTHING;
    const uid = read(user, owner).id;
    // With an owner, what is found is theirs or shared with them; names are searched without their owner.
    const q = query.split('/').at(-1) ?? query;
    const answer = await api.get(['repos', 'search'], { ...page, q, uid, sort: 'updated', order: 'desc' });
    return answer === null ? NOTHING : listed(read(found, answer).data, nextPage(answer));
  }

  async branches(
    api: ProviderSession,
    { repository: parts, query, size, next }: WantedBranches,
  ): Promise<ProviderPage<FoundBranch> | null> {
    const answer = await api.get(['repos', ...parts, 'branches'], { limit: size, page: next });
    if (answer === null) return null;
    const wanted = searchText(query ?? '');
    const items = read(z.array(branch), answer)
      .filter(({ name }) => searchText(name).includes(wanted))
      .map(({ name, commit, protected: isProtected }) => ({
        name,
        commit_sha: commit?.id ?? '',
        protected: isProtected,
        last_push_date: commit?.timestamp ?? null,
      }));
    return { items, next: nextPage(answer) };
  }
}

function listed(
  rows: readonly z.infer<typeof repository>[],
  next: string | null,
): ProviderPage<FoundRepository> {
  const items = rows.map((row) => ({
    id: String(row.id),
    full_name: row.full_name,
    is_public: !row.private,
    stargazers_count: row.stars_count ?? null,
    pushed_at: row.updated_at ?? null,
    owner_type: null,
    main_branch: row.default_branch ?? null,
  }));
  return { items, next };
}
