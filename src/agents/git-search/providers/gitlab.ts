import { z } from 'zod';
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

const group = z.object({ full_path: z.string() });
const project = z.object({
  id: z.number(),
  path_with_namespace: z.string(),
  visibility: z.string().nullish(),
  star_count: z.number().nullish(),
  last_activity_at: z.string().nullish(),
  default_branch: z.string().nullish(),
  namespace: z.object({ kind: z.string() }).nullish(),
});
const branch = z.object({
  name: z.string(),
  commit: z.object({ id: z.string(), committed_date: z.string().nullish() }),
  protected: z.boolean(),
});

/** A member who may see code: a guest may not always. */
const GUEST = 10;

/** GitLab, of the public host and others. Installations are groups. */
export class GitLab implements ProviderApi {
  bases(address: URL): readonly ApiBase[] {
    return belowPath(address, '/api/v4');
  }

  authorization({ password }: OpenedCredential): string {
    return `Bearer ${password}`;
  }

  async installations(api: ProviderSession, { size, next }: WantedPage): Promise<ProviderPage<string>> {
    const answer = await api.get(['groups'], { min_access_level: GUEST, per_page: size, page: next });
    if (answer === null) return NOTHING;
    const paths = read(z.array(group), answer).map(({ full_path: path }) => path);
    const items = paths.filter((path) => api.isFor(path.split('/')[0] ?? ''));
    return { items, next: nextPage(answer) };
  }

  async repositories(
    api: ProviderSession,
    { query, installation, size, next }: WantedRepositories,
  ): Promise<ProviderPage<FoundRepository>> {
    const parameters = {
      per_page: size,
      page: next,
      search: query,
      order_by: 'last_activity_at',
      sort: 'desc',
    };
    const answer =
      installation === null
        ? await api.get(['projects'], { ...parameters, membership: true, search_namespaces: true })
        : await api.get(['groups', installation, 'projects'], { ...parameters, include_subgroups: true });
    if (answer === null) return NOTHING;
    return { items: read(z.array(project), answer).map(toFound), next: nextPage(answer) };
  }

  async branches(
    api: ProviderSession,
    { repository, query, size, next }: WantedBranches,
  ): Promise<ProviderPage<FoundBranch> | null> {
    const parameters = { per_page: size, page: next, search: query };
    const answer = await api.get(['projects', repository.join('/'), 'repository', 'branches'], parameters);
    if (answer === null) return null;
    const items = read(z.array(branch), answer).map(({ name, commit, protected: isProtected }) => ({
      name,
      commit_sha: commit.id,
      protected: isProtected,
      last_push_date: commit.committed_date ?? null,
    }));
    return { items, next: nextPage(answer) };
  }
}

function toFound(row: z.infer<typeof project>): FoundRepository {
  return {
    id: String(row.id),
    full_name: row.path_with_namespace,
    is_public: row.visibility === 'public',
    stargazers_count: row.star_count ?? null,
    pushed_at: row.last_activity_at ?? null,
    owner_type: row.namespace?.kind === 'user' ? 'user' : 'organization',
    main_branch: row.default_branch ?? null,
  };
}
