import { z } from 'zod';
import type { OpenedCredential } from '../../git-credentials';
import { read } from '../provider-calls/provider-answer';
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

const slug = z.object({ slug: z.string() });
const workspace = z.union([z.object({ workspace: slug }).transform((row) => row.workspace), slug]);
const repository = z.object({
  uuid: z.string(),
  full_name: z.string(),
  is_private: z.boolean(),
  updated_on: z.string().nullish(),
  mainbranch: z.object({ name: z.string() }).nullish(),
});
const branch = z.object({
  name: z.string(),
  target: z.object({ hash: z.string(), date: z.string().nullish() }),
});
const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ values: z.array(row), next: z.string().nullish() });

/** The name with which git uses access tokens of repositories, projects and workspaces. */
const TOKEN_USER = 'x-token-auth';
const MAX_WORKSPACES = 100;

/** Bitbucket Cloud. Installations are workspaces: there is no list of the repositories of all of them. */
export class Bitbucket implements ProviderApi {
  bases(address: URL): readonly ApiBase[] {
    return atRoot(address.host === 'bitbucket.org' ? new URL('https://api.bitbucket.org') : address, '/2.0');
  }

  authorization({ username, password }: OpenedCredential): string {
    return username === TOKEN_USER ? `Bearer ${password}` : basic(username, password);
  }

  async installations(api: ProviderSession, { size, next }: WantedPage): Promise<ProviderPage<string>> {
    // Tokens of a workspace, project or repository have no user who could be asked.
    if (api.owner !== null) return { items: [api.owner], next: null };
    const answer = await api.get(['user', 'workspaces'], { pagelen: size, page: next });
    if (answer === null) return NOTHING;
    const page = read(pageOf(workspace), answer);
    return { items: page.values.map((row) => row.slug), next: pageIn(page.next) };
  }

  async repositories(
    api: ProviderSession,
    { query, installation, size, next }: WantedRepositories,
  ): Promise<ProviderPage<FoundRepository>> {
    if (installation !== null) return ofWorkspace(api, installation, { query, size, next });
    const { items: all } = await this.installations(api, { size: MAX_WORKSPACES, next: null });
    const [slugNow, pageNow] = next === null ? [all[0], null] : splitOnce(next);
    if (slugNow === undefined) return NOTHING;
    const page = await ofWorkspace(api, slugNow, { query, size, next: pageNow });
    if (page.next !== null) return { ...page, next: `${slugNow} ${page.next}` };
    const following = all[all.indexOf(slugNow) + 1];
    return { ...page, next: following ?? null };
  }

  async branches(
    api: ProviderSession,
    { repository: parts, query, size, next }: WantedBranches,
  ): Promise<ProviderPage<FoundBranch> | null> {
    const answer = await api.get(['repositories', ...parts, 'refs', 'branches'], {
      pagelen: size,
      page: next,
      q: query === null ? null : `name ~ ${quoted(query)}`,
    });
    if (answer === null) return null;
    const page = read(pageOf(branch), answer);
    const items = page.values.map(({ name, target }) => ({
      name,
      commit_sha: target.hash,
      protected: null,
      last_push_date: target.date ?? null,
    }));
    return { items, next: pageIn(page.next) };
  }
}

async function ofWorkspace(
  api: ProviderSession,
  name: string,
  { query, size, next }: Omit<WantedRepositories, 'installation'>,
): Promise<ProviderPage<FoundRepository>> {
  const parts = query?.split('/') ?? [];
  if (parts.length === 2 && parts[0]?.toLowerCase() !== name.toLowerCase()) return NOTHING;
  const text = parts.at(-1);
  const answer = await api.get(['repositories', name], {
    pagelen: size,
    page: next,
    sort: '-updated_on',
    q: text === undefined ? null : `name ~ ${quoted(text)}`,
  });
  if (answer === null) return NOTHING;
  const page = read(pageOf(repository), answer);
  return { items: page.values.map(toFound), next: pageIn(page.next) };
}

function toFound(row: z.infer<typeof repository>): FoundRepository {
  return {
    id: row.uuid,
    full_name: row.full_name,
    is_public: !row.is_private,
    stargazers_count: null,
    pushed_at: row.updated_on ?? null,
    owner_type: 'organization',
    main_branch: row.mainbranch?.name ?? null,
  };
}

/** The page in the address of the next one; where that leads is not asked. */
function pageIn(address: string | null | undefined): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return null;
  return new URL(address).searchParams.get('page');
}

/** @returns what is before the first space, and what is behind it */
function splitOnce(text: string): readonly [string, string | null] {
  const space = text.indexOf(' ');
  return space === -1 ? [text, null] : [text.slice(0, space), text.slice(space + 1)];
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, (sign) => `\\${sign}`)}"`;
}
