/** What a token reaches: full names of repositories, and the branches of each. */
export interface ProviderWorld {
  readonly repositories: readonly string[];
  readonly branches: readonly string[];
}

/** An answer of an API. */
export interface ProviderAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** One provider's API, as far as it is searched: what its public documentation says of paths, parameters and pages. */
export interface ProviderWire {
  readonly prefix: string;
  /** Of the header `Authorization`. */
  readonly scheme: string;
  /** @returns null for what does not exist */
  answer(world: ProviderWorld, path: readonly string[], url: URL): ProviderAnswer | null;
}

const SHA = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const ids = new Map<string, number>();
const idOf = (name: string): number => {
  if (!ids.has(name)) ids.set(name, ids.size + 1);
  return ids.get(name) ?? 0;
};
const ownersOf = ({ repositories }: ProviderWorld): string[] => [
  ...new Set(repositories.map((name) => name.split('/')[0] ?? '')),
];
const has = (name: string, part: string | null) => name.toLowerCase().includes((part ?? '').toLowerCase());

/** A page that is counted by number, with the next one in the `Link` header. */
function linked<T>(
  url: URL,
  rows: readonly T[],
  size: string,
  shape: (rows: readonly T[]) => unknown = (page) => page,
): ProviderAnswer {
  const most = Number(url.searchParams.get(size) ?? 20);
  const page = Number(url.searchParams.get('page') ?? 1);
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  const hasNext = page * most < rows.length;
  return {
    headers: hasNext ? { Link: `<${next.href}>; rel="next", <${url.href}>; rel="last"` } : {},
    body: shape(rows.slice((page - 1) * most, page * most)),
  };
}

const githubRepository = (name: string) => ({
  id: idOf(name),
  full_name: name,
  private: true,
  stargazers_count: 2,
  default_branch: 'main',
  pushed_at: '2026-11-21T10:00:00Z',
  owner: { type: name.startsWith('bot/') ? 'User' : 'Organization' },
});

/** What is below `/repos/`. */
function githubBelow(
  { repositories, branches }: ProviderWorld,
  [owner, name, list, ...rest]: readonly string[],
  url: URL,
): ProviderAnswer | null {
  if (name === 'renamed')
    return { status: 301, headers: { Location: url.href.replace('renamed', 'web-0') }, body: {} };
  const full = `${owner}/${name}`;
  if (!repositories.includes(full)) return null;
  if (list === undefined) return { body: githubRepository(full) };
  const object = { sha: SHA };
  if (list === 'branches')
    return linked(
      url,
      branches.map((branch) => ({ name: branch, commit: object, protected: branch === 'main' })),
      'per_page',
    );
  const begin = rest.slice(2).join('/');
  const refs = branches.filter((branch) => branch.startsWith(begin));
  return { body: refs.map((branch) => ({ ref: `refs/heads/${branch}`, object })) };
}

/** What is below `/user`, of the account `bot`. */
function githubUser(world: ProviderWorld, list: string | undefined, url: URL): ProviderAnswer {
  if (list === undefined) return { body: { login: 'bot' } };
  if (list === 'orgs') {
    const organizations = ownersOf(world).filter((owner) => owner !== 'bot');
    return linked(
      url,
      organizations.map((login) => ({ login })),
      'per_page',
    );
  }
  const isAll = url.searchParams.get('affiliation')?.includes('organization_member') === true;
  const names = world.repositories.filter((name) => isAll || name.startsWith('bot/'));
  return linked(url, names.map(githubRepository), 'per_page');
}

const github: ProviderWire = {
  prefix: '/api/v3/',
  scheme: 'Bearer',
  answer(world, [first, ...below], url) {
    const of = (owner: string) => world.repositories.filter((name) => name.startsWith(`${owner}/`));
    if (first === 'user') return githubUser(world, below[0], url);
    if (first === 'repos') return githubBelow(world, below, url);
    if (first === 'users') {
      const [login = ''] = below;
      const type = login === 'bot' ? 'User' : 'Organization';
      return ownersOf(world).includes(login) ? { body: { login, type } } : null;
    }
    if (first === 'orgs') {
      const names = of(below[0] ?? '');
      return names.length === 0 ? null : linked(url, names.map(githubRepository), 'per_page');
    }
    if (first !== 'search') return null;
    const [words = '', ...owners] = (url.searchParams.get('q') ?? '').split(/ (?:user|org):/);
    const names = owners.flatMap(of).filter((name) => has(name, words.split(' ')[0] ?? ''));
    return linked(url, names.map(githubRepository), 'per_page', (items) => ({
      total_count: names.length,
      items,
    }));
  },
};

const gitlab: ProviderWire = {
  prefix: '/api/v4/',
  scheme: 'Bearer',
  answer(world, [first, second, third], url) {
    if (first === 'version') return { body: { version: '18.6.1', revision: '6dcb09b5b57' } };
    const search = url.searchParams.get('search');
    const rows = world.repositories
      .filter((name) => has(name, search))
      .map((name) => ({
        id: idOf(name),
        path_with_namespace: name,
        visibility: 'private',
        star_count: 2,
        last_activity_at: '2026-11-21T10:00:00Z',
        default_branch: 'main',
        namespace: { kind: 'group' },
      }));
    if (first === 'groups' && second === undefined)
      return linked(
        url,
        ownersOf(world).map((path) => ({ full_path: path })),
        'per_page',
      );
    if (first === 'groups')
      return linked(
        url,
        rows.filter(({ path_with_namespace: name }) => name.startsWith(`${second}/`)),
        'per_page',
      );
    if (second === undefined) return linked(url, rows, 'per_page');
    if (!world.repositories.includes(second) || third !== 'repository') return null;
    const branches = world.branches.filter((name) => has(name, search));
    const commit = { id: SHA, committed_date: '2026-11-21T10:00:00Z' };
    return linked(
      url,
      branches.map((name) => ({ name, commit, protected: name === 'main' })),
      'per_page',
    );
  },
};

const bitbucket: ProviderWire = {
  prefix: '/2.0/',
  scheme: 'Basic',
  answer(world, [first, second, third], url) {
    const part = /^name ~ "(.*)"$/.exec(url.searchParams.get('q') ?? '')?.[1] ?? '';
    const page = (rows: readonly unknown[]): ProviderAnswer => {
      const most = Number(url.searchParams.get('pagelen') ?? 10);
      const number = Number(url.searchParams.get('page') ?? 1);
      // As it is told behind a proxy: nobody should go there with a token.
      const next = `https://api.bitbucket.org${url.pathname}?page=${number + 1}`;
      return {
        body: {
          values: rows.slice((number - 1) * most, number * most),
          ...(number * most < rows.length && { next }),
        },
      };
    };
    if (first === 'user') return page(ownersOf(world).map((slug) => ({ workspace: { slug } })));
    if (third === undefined) {
      if (!ownersOf(world).includes(second ?? '')) return null;
      const rows = world.repositories.filter((name) => {
        const [owner, short = ''] = name.split('/');
        return owner === second && has(short, part);
      });
      const common = { is_private: true, updated_on: '2026-11-21T10:00:00Z', mainbranch: { name: 'main' } };
      return page(rows.map((name) => ({ ...common, uuid: `{${name}}`, full_name: name })));
    }
    if (!world.repositories.includes(`${second}/${third}`)) return null;
    const target = { hash: SHA, date: '2026-11-21T10:00:00Z' };
    return page(world.branches.filter((name) => has(name, part)).map((name) => ({ name, target })));
  },
};

const forgejo: ProviderWire = {
  prefix: '/api/v1/',
  scheme: 'token',
  answer(world, [first, second, third], url) {
    if (first === 'version') return { body: { version: '13.0.1' } };
    const all = world.repositories.map((name) => ({
      id: idOf(name),
      full_name: name,
      private: true,
      stars_count: 2,
      default_branch: 'main',
      updated_at: '2026-11-21T10:00:00Z',
    }));
    if (first === 'user' && second === undefined) return { body: { id: 7, login: 'bot' } };
    if (first === 'user' && second === 'orgs')
      return linked(
        url,
        ownersOf(world).map((username) => ({ username })),
        'limit',
      );
    if (first === 'orgs' && third === undefined)
      return { body: { id: idOf(second ?? ''), username: second } };
    if (first === 'orgs')
      return linked(
        url,
        all.filter(({ full_name: name }) => name.startsWith(`${second}/`)),
        'limit',
      );
    if (first === 'user') return linked(url, all, 'limit');
    if (second === 'search') {
      // Without the id of an owner this finds what is public, of anybody.
      const isOwn = url.searchParams.get('uid') === '7';
      const part = url.searchParams.get('q');
      const rows = isOwn ? all.filter(({ full_name: name }) => has(name.split('/')[1] ?? '', part)) : [];
      return linked(url, rows, 'limit', (data) => ({ ok: true, data }));
    }
    if (!world.repositories.includes(`${second}/${third}`)) return null;
    const commit = { id: SHA, timestamp: '2026-11-21T10:00:00Z' };
    return linked(
      url,
      world.branches.map((name) => ({ name, commit, protected: name === 'main' })),
      'limit',
    );
  },
};

const azure: ProviderWire = {
  prefix: '/',
  scheme: 'Basic',
  answer(world, [organization, ...below], url) {
    const own = world.repositories.filter((name) => name.startsWith(`${organization}/`));
    /** A page that goes on with a token in a header. */
    const page = (rows: readonly unknown[]): ProviderAnswer => {
      const start = Number(url.searchParams.get('continuationToken') ?? 0);
      const end = start + Number(url.searchParams.get('$top') ?? 100);
      return {
        headers: end < rows.length ? { 'x-ms-continuationtoken': String(end) } : {},
        body: { value: rows.slice(start, end) },
      };
    };
    if (url.searchParams.get('api-version') === null) return { status: 400, body: {} };
    const at = below.indexOf('_apis');
    const project = at === 1 ? below[0] : undefined;
    const [resource, list, name] = below.slice(at + 1);
    if (resource === 'projects') return page([...new Set(own.map((full) => full.split('/')[1]))].map(named));
    if (list !== 'repositories') return null;
    const rows = own.filter((full) => project === undefined || full.split('/')[1] === project);
    if (name === undefined) return { body: { value: rows.map(azureRepository) } };
    if (!rows.includes(`${organization}/${project}/${name}`)) return null;
    const part = url.searchParams.get('filterContains');
    const branches = world.branches.filter((branch) => has(branch, part));
    return page(branches.map((branch) => ({ name: `refs/heads/${branch}`, objectId: SHA })));
  },
};

function azureRepository(full: string): unknown {
  const [, project = '', name = ''] = full.split('/');
  return {
    id: `id-${full}`,
    name,
    defaultBranch: 'refs/heads/main',
    isDisabled: false,
    project: { name: project, visibility: 'private', lastUpdateTime: '2026-11-21T10:00:00Z' },
  };
}

function named(name: string | undefined): unknown {
  return { name };
}

/** In the order in which their paths are told apart. */
export const PROVIDER_WIRES: readonly ProviderWire[] = [github, gitlab, bitbucket, forgejo, azure];
