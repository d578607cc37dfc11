import { z } from 'zod';
import type { OpenedCredential } from '../../git-credentials';
import { nextPage, type ProviderAnswer, read } from '../provider-calls/provider-answer';
import type { Parameters, ProviderSession } from '../provider-calls/provider-session';
import {
  type ApiBase,
  atRoot,
  type FoundBranch,
  type FoundRepository,
  NOTHING,
  type ProviderApi,
  type ProviderPage,
  type WantedBranches,
  type WantedPage,
  type WantedRepositories,
} from './provider-api';

const account = z.object({ login: z.string() });
const repository = z.object({
  id: z.number(),
  full_name: z.string(),
  private: z.boolean(),
  stargazers_count: z.number().nullish(),
  pushed_at: z.string().nullish(),
  default_branch: z.string().nullish(),
  owner: z.object({ type: z.string() }),
});
const found = z.object({ items: z.array(repository) });
const branch = z.object({
  name: z.string(),
  commit: z.object({ sha: z.string() }),
  protected: z.boolean().nullish(),
});
const ref = z.object({ ref: z.string(), object: z.object({ sha: z.string() }) });

const HEADS = 'refs/heads/';
const FULL_NAME = /^[\w.-]+\/[\w.-]+$/;
/** Follows the account of the credential in the list of installations. */
const ORGANIZATIONS = '1';

/**
 * GitHub, and GitHub Enterprise Server. Installations are `users/NAME`, the account of the credential with what is shared
 * with it, and `orgs/NAME`.
 */
export class GitHub implements ProviderApi {
  bases(address: URL): readonly ApiBase[] {
    return address.host === 'github.com'
      ? atRoot(new URL('https://api.github.com'), '')
      : atRoot(address, '/api/v3');
  }

  authorization({ password }: OpenedCredential): string {
    return `Bearer ${password}`;
  }

  async installations(api: ProviderSession, { size, next }: WantedPage): Promise<ProviderPage<string>> {
    if (api.owner !== null) return { items: await kindOf(api, api.owner), next: null };
    const own = next === null ? [`users/${await ownName(api)}`] : [];
    if (size === own.length) return { items: own, next: ORGANIZATIONS };
    // One fewer on each page leaves room for the account on the first one.
    const answer = await api.get(['user', 'orgs'], { per_page: Math.max(1, size - 1), page: next });
    if (answer === null) return { items: own, next: null };
    const items = read(z.array(account), answer).map(({ login }) => `orgs/${login}`);
    return { items: [...own, ...items], next: nextPage(answer) };
  }

  async repositories(
    api: ProviderSession,
    { query, installation, size, next }: WantedRepositories,
  ): Promise<ProviderPage<FoundRepository>> {
    const page = { per_page: size, page: next };
    const [kind, owner = ''] = installation?.split('/') ?? [];
    if (query !== null && FULL_NAME.test(query)) return named(api, query);
    if (query !== null) {
      const owners = installation === null ? await ownersOf(api) : [`${qualifierOf(kind)}:${owner}`];
      return searched(api, `${query} in:name fork:true ${owners.join(' ')}`, page);
    }
    if (kind === 'orgs') return listed(api, ['orgs', owner, 'repos'], { ...page, sort: 'pushed' });
    if (api.owner !== null && installation === null) return ofOwner(api, api.owner, page);
    const affiliation = `owner,collaborator${installation === null ? ',organization_member' : ''}`;
    return listed(api, ['user', 'repos'], { ...page, affiliation, sort: 'pushed' });
  }

  async branches(
    api: ProviderSession,
    { repository: parts, query, size, next }: WantedBranches,
  ): Promise<ProviderPage<FoundBranch> | null> {
    if (query !== null) return matching(api, parts, { query, size, next });
    const answer = await api.get(['repos', ...parts, 'branches'], { per_page: size, page: next });
    if (answer === null) return null;
    const items = read(z.array(branch), answer).map(({ name, commit, protected: isProtected = null }) => ({
      name,
      commit_sha: commit.sha,
      protected: isProtected,
      last_push_date: null,
    }));
    return { items, next: nextPage(answer) };
  }
}

/** Branches whose names begin with a text, which GitHub answers all at once. */
async function matching(
  api: ProviderSession,
  parts: readonly string[],
  { query, size, next }: WantedPage & { readonly query: string },
): Promise<ProviderPage<FoundBranch> | null> {
  if (/(^|\/)\.{1,2}(\/|$)/.test(query)) return NOTHING;
  const answer = await api.get(['repos', ...parts, 'git', 'matching-refs', 'heads', ...query.split('/')]);
  if (answer === null) return null;
  const start = Number(next ?? 0);
  const refs = read(z.array(ref), answer);
  const items = refs.slice(start, start + size).map(({ ref: name, object }) => ({
    name: name.slice(HEADS.length),
    commit_sha: object.sha,
    protected: null,
    last_push_date: null,
  }));
  return { items, next: start + size < refs.length ? String(start + size) : null };
}

async function named(api: ProviderSession, fullName: string): Promise<ProviderPage<FoundRepository>> {
  const answer = await api.get(['repos', ...fullName.split('/')]);
  return answer === null ? NOTHING : { items: [toFound(read(repository, answer))], next: null };
}

async function searched(
  api: ProviderSession,
  q: string,
  page: Parameters,
): Promise<ProviderPage<FoundRepository>> {
  const answer = await api.get(['search', 'repositories'], { ...page, q });
  return answer === null ? NOTHING : pageOf(answer, read(found, answer).items);
}

async function listed(
  api: ProviderSession,
  path: readonly string[],
  parameters: Parameters,
): Promise<ProviderPage<FoundRepository>> {
  const answer = await api.get(path, parameters);
  return answer === null ? NOTHING : pageOf(answer, read(z.array(repository), answer));
}

function pageOf(
  answer: ProviderAnswer,
  rows: readonly z.infer<typeof repository>[],
): ProviderPage<FoundRepository> {
  return { items: rows.map(toFound), next: nextPage(answer) };
}

function toFound(row: z.infer<typeof repository>): FoundRepository {
  return {
    id: String(row.id),
    full_name: row.full_name,
    is_public: !row.private,
    stargazers_count: row.stargazers_count ?? null,
    pushed_at: row.pushed_at ?? null,
    owner_type: row.owner.type === 'Organization' ? 'organization' : 'user',
    main_branch: row.default_branch ?? null,
  };
}

/** All repositories of an organization that the credential sees; of a user, their own and those shared with them. */
async function ofOwner(
  api: ProviderSession,
  name: string,
  page: Parameters,
): Promise<ProviderPage<FoundRepository>> {
  const [installation] = await kindOf(api, name);
  if (installation === undefined) return NOTHING;
  return installation.startsWith('orgs/')
    ? listed(api, ['orgs', name, 'repos'], { ...page, sort: 'pushed' })
    : listed(api, ['user', 'repos'], { ...page, affiliation: 'owner,collaborator', sort: 'pushed' });
}

async function ownName(api: ProviderSession): Promise<string> {
  const answer = await api.get(['user']);
  return answer === null ? '' : read(account, answer).login;
}

/** The repositories of the owner of a credential; of another user only public ones. */
async function kindOf(api: ProviderSession, name: string): Promise<string[]> {
  const answer = await api.get(['users', name]);
  if (answer === null) return [];
  const { login, type } = read(account.extend({ type: z.string() }), answer);
  return [type === 'Organization' ? `orgs/${login}` : `users/${login}`];
}

/** Searches are of all the world unless they name owners. */
async function ownersOf(api: ProviderSession): Promise<string[]> {
  if (api.owner !== null) return [`user:${api.owner}`];
  const answer = await api.get(['user', 'orgs'], { per_page: 100 });
  const organizations = answer === null ? [] : read(z.array(account), answer);
  return [`user:${await ownName(api)}`, ...organizations.map(({ login }) => `org:${login}`)];
}

function qualifierOf(kind: string | undefined): string {
  return kind === 'orgs' ? 'org' : 'user';
}
