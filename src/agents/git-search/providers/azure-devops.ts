import { z } from 'zod';
import { searchText } from '../../../kernel/common';
import type { OpenedCredential } from '../../git-credentials';
import { type ProviderAnswer, read } from '../provider-calls/provider-answer';
import type { ProviderSession } from '../provider-calls/provider-session';
import {
  type ApiBase,
  atRoot,
  basic,
  type FoundBranch,
  type FoundRepository,
  NOTHING,
  type ProviderApi,
  type ProviderPage,
  type WantedBranches,
  type WantedPage,
  type WantedRepositories,
} from './provider-api';

const project = z.object({ name: z.string() });
const repository = z.object({
  id: z.string(),
  name: z.string(),
  defaultBranch: z.string().nullish(),
  isDisabled: z.boolean().nullish(),
  project: z.object({
    name: z.string(),
    visibility: z.string().nullish(),
    lastUpdateTime: z.string().nullish(),
  }),
});
const ref = z.object({ name: z.string(), objectId: z.string() });
const listOf = <Row extends z.ZodType>(row: Row) => z.object({ value: z.array(row) });

const VERSION = { 'api-version': '7.0' };
const HEADS = 'refs/heads/';

/**
 * Azure DevOps. The first segment of a credential's address is the organization (or the collection of a server), without
 * which nothing is found; installations are its projects, and full names are `organization/project/repository`.
 */
export class AzureDevOps implements ProviderApi {
  bases(address: URL): readonly ApiBase[] {
    const organization = address.pathname.split('/')[1] ?? '';
    return organization === '' ? [] : atRoot(address, `/${organization}`);
  }

  authorization({ password }: OpenedCredential): string {
    return basic('', password);
  }

  async installations(api: ProviderSession, { size, next }: WantedPage): Promise<ProviderPage<string>> {
    const answer = await api.get(['_apis', 'projects'], {
      ...VERSION,
      $top: size,
      continuationToken: next,
    });
    if (answer === null) return NOTHING;
    const names = read(listOf(project), answer).value.map(({ name }) => name);
    return { items: names.filter((name) => api.isFor(name, 1)), next: tokenOf(answer) };
  }

  async repositories(
    api: ProviderSession,
    { query, installation, size, next }: WantedRepositories,
  ): Promise<ProviderPage<FoundRepository>> {
    const below = installation === null ? [] : [installation];
    // All at once: this list has no pages.
    const answer = await api.get([...below, '_apis', 'git', 'repositories'], VERSION);
    if (answer === null) return NOTHING;
    const organization = api.owner ?? '';
    const wanted = searchText(query ?? '');
    const all = read(listOf(repository), answer)
      .value.filter(({ isDisabled }) => isDisabled !== true)
      .map((row) => toFound(organization, row))
      .filter(({ full_name: name }) => searchText(name).includes(wanted));
    const start = Number(next ?? 0);
    return {
      items: all.slice(start, start + size),
      next: start + size < all.length ? String(start + size) : null,
    };
  }

  async branches(
    api: ProviderSession,
    { repository: parts, query, size, next }: WantedBranches,
  ): Promise<ProviderPage<FoundBranch> | null> {
    const [, projectName = '', name = ''] = parts;
    const answer = await api.get([projectName, '_apis', 'git', 'repositories', name, 'refs'], {
      ...VERSION,
      filter: 'heads/',
      filterContains: query,
      $top: size,
      continuationToken: next,
    });
    if (answer === null) return null;
    const items = read(listOf(ref), answer).value.map(({ name: full, objectId }) => ({
      name: full.slice(HEADS.length),
      commit_sha: objectId,
      protected: null,
      last_push_date: null,
    }));
    return { items, next: tokenOf(answer) };
  }
}

function toFound(organization: string, row: z.infer<typeof repository>): FoundRepository {
  return {
    id: row.id,
    full_name: `${organization}/${row.project.name}/${row.name}`,
    is_public: row.project.visibility === 'public',
    stargazers_count: null,
    pushed_at: row.project.lastUpdateTime ?? null,
    owner_type: 'organization',
    main_branch: row.defaultBranch?.slice(HEADS.length) ?? null,
  };
}

function tokenOf({ headers }: ProviderAnswer): string | null {
  return [headers['x-ms-continuationtoken'] ?? []].flat()[0] ?? null;
}
