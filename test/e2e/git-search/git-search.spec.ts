import { DoubledService } from '../../support/agent-server/doubled-service';
import { ProviderDouble } from '../../support/git/provider-double';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import { type HttpResponse, call, type ErrorBody } from '../../support/service/http';
import { letIn } from '../../support/sign-in/link-credentials';

interface Found extends ErrorBody {
  readonly items: readonly (Record<string, unknown> & { full_name: string; name: string })[];
  readonly next_page_id: string | null;
}

const PROVIDERS = ['github', 'gitlab', 'bitbucket', 'forgejo', 'azure_devops'] as const;
type Provider = (typeof PROVIDERS)[number];

const BRANCHES = ['main', 'release/1', 'release/2', 'fix/a', 'fix/b'];

let double: ProviderDouble;
let doubled: DoubledService;
const app = () => doubled.service.app;
beforeAll(async () => {
  double = await ProviderDouble.start();
  doubled = await DoubledService.start({ GIT_ALLOWED_HOSTS: double.host });
});
afterAll(async () => {
  await doubled.close();
  await double.close();
});
beforeEach(() => {
  double.requests.length = 0;
});

const isAzure = (provider: Provider) => provider === 'azure_devops';
/** The name of a repository of an owner at a provider. */
const named = (provider: Provider, name: string, owner = 'acme') =>
  isAzure(provider) ? `${owner}/My shop/${name}` : `${owner}/${name}`;

function search(
  key: string,
  what: string,
  query: Record<string, string | number>,
): Promise<HttpResponse<Found>> {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) text.set(name, String(value));
  return call<Found>(app(), 'GET', `/api/v1/git/${what}/search?${text.toString()}`, { key });
}

/** All pages of a search. */
async function all(key: string, what: string, query: Record<string, string | number>) {
  const items: Found['items'][number][] = [];
  let page: Record<string, string> = {};
  for (let pages = 0; pages < 30; pages++) {
    const { status, body } = await search(key, what, { ...query, ...page });
    expect([status, body.items.length <= Number(query['limit'] ?? 100)]).toEqual([200, true]);
    items.push(...body.items);
    if (body.next_page_id === null) return items;
    page = { page_id: body.next_page_id };
  }
  throw new Error('The pages do not end.');
}

const names = (items: Found['items']) => items.map((item) => item.full_name);
let tokens = 0;

/** Has a token reach repositories. */
function tokenFor(repositories: readonly string[]): string {
  const token = `token-${++tokens}-of-a-provider`;
  double.tokens.set(token, { repositories, branches: BRANCHES });
  return token;
}

interface Kept {
  readonly provider: Provider;
  readonly token: string;
  /** Path of the address; of Azure DevOps it begins with the organization. */
  readonly path?: string;
  /** Of the organization instead of the caller. */
  readonly orgId?: string;
}

async function keep(key: string, { provider, token, path, orgId }: Kept): Promise<string> {
  const at = orgId === undefined ? '/api/v1/git/credentials' : `/api/organizations/${orgId}/git-credentials`;
  const { status, body } = await call<{ id: string }>(app(), 'POST', at, {
    key,
    body: {
      url_prefix: `${double.origin}/${path ?? (isAzure(provider) ? 'acme' : '')}`,
      username: 'bot',
      password: token,
      git_provider: provider,
    },
  });
  expect(status).toBe(201);
  return body.id;
}

async function newCaller(role: 'member' | 'admin' = 'member'): Promise<TestCaller> {
  return makeCaller(app().db, (await makeOrg(app().db)).id, role);
}

describe.each(PROVIDERS)('of %s', (provider) => {
  const own = ['web-0', 'web-1', 'web-2', 'web-3', 'web-4', 'tool', 'tool & "more"'];
  const repositories = own.map((name) => named(provider, name));
  let key: string;
  beforeAll(async () => {
    ({ key } = await newCaller());
    await keep(key, { provider, token: tokenFor(repositories) });
  });

  it.each([1, 3, 100])('repositories are listed page by page, each once, %s at once', async (limit) => {
    const items = await all(key, 'repositories', { provider, limit });
    expect(names(items).sort()).toEqual([...repositories].sort());
    expect(items[0]).toMatchObject({ git_provider: provider, is_public: false, main_branch: 'main' });
  });

  it('repositories are found by a part of the name, with what stands in addresses', async () => {
    expect(names(await all(key, 'repositories', { provider, query: 'WEB-', limit: 2 }))).toHaveLength(5);
    expect(names(await all(key, 'repositories', { provider, query: 'nothing' }))).toEqual([]);
    if (provider !== 'bitbucket' && provider !== 'github')
      expect(names(await all(key, 'repositories', { provider, query: 'tool & "m' }))).toEqual([
        named(provider, 'tool & "more"'),
      ]);
  });

  it('a repository is found by its full name', async () => {
    const name = named(provider, 'web-3');
    expect(names(await all(key, 'repositories', { provider, query: name }))).toEqual([name]);
  });

  it('owners are listed, and all repositories are found through them', async () => {
    const owners = (await search(key, 'installations', { provider })).body.items as unknown as string[];
    expect(owners.join()).toContain(isAzure(provider) ? 'My shop' : 'acme');
    const found: string[] = [];
    for (const owner of owners)
      found.push(...names(await all(key, 'repositories', { provider, installation_id: owner, limit: 2 })));
    expect(found.sort()).toEqual([...repositories].sort());
    expect(await all(key, 'installations', { provider, limit: 1 })).toEqual(owners);
    expect(await all(key, 'repositories', { provider, installation_id: 'orgs/nobody' })).toEqual([]);
  });

  it('branches are listed page by page and found by the beginning of the name', async () => {
    const repository = named(provider, 'web-0');
    const branches = await all(key, 'branches', { provider, repository, limit: 2, query: '' });
    expect(branches.map(({ name }) => name)).toEqual(BRANCHES);
    expect(branches[0]).toMatchObject({ commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/) as unknown });
    const found = await all(key, 'branches', { provider, repository, limit: 1, query: 'release/' });
    expect(found.map(({ name }) => name)).toEqual(['release/1', 'release/2']);
    expect(await search(key, 'branches', { provider, repository: named(provider, 'gone') })).toMatchObject({
      status: 404,
      body: { code: 'git_repository_not_found' },
    });
  });

  it('no name leads to another path of the host', async () => {
    const repository = isAzure(provider) ? 'acme/../../x' : 'acme/..';
    await search(key, 'branches', { provider, repository });
    await search(key, 'repositories', { provider, installation_id: 'orgs/..' });
    expect(double.requests).toEqual([]);
  });

  it('the settings say that there is a token, and where', async () => {
    const { body } = await call<{ provider_tokens_set: object }>(app(), 'GET', '/api/v1/settings', { key });
    expect(body.provider_tokens_set).toEqual({ [provider]: double.origin });
  });
});

describe.each([
  ['github', 'orgs/acme'],
  ['gitlab', 'acme'],
  ['bitbucket', 'acme'],
  ['forgejo', 'acme'],
] as const)('with a credential for one owner at %s', (provider, owner) => {
  it('shows nothing else that its token reaches', async () => {
    const { key } = await newCaller();
    const token = tokenFor(['acme/web-0', 'acme/web-1', 'bot/own', 'other/web-2']);
    await keep(key, { provider, token, path: 'acme' });
    expect(await all(key, 'installations', { provider })).toEqual([owner]);
    for (const more of [{}, { installation_id: owner }, { query: 'web' }, { query: 'other/web-2' }])
      expect(names(await all(key, 'repositories', { provider, limit: 1, ...more }))).toEqual(
        more.query === 'other/web-2' ? [] : ['acme/web-0', 'acme/web-1'],
      );
    double.requests.length = 0;
    expect((await search(key, 'branches', { provider, repository: 'other/web-2' })).body.items).toEqual([]);
    // Where the server is, below the credential's path or above it, is asked for all the same.
    expect(double.requests.filter(({ url }) => !url.endsWith('/version'))).toEqual([]);
  });
});

describe('git searches', () => {
  it('ask for a hundred at most at once', async () => {
    const { key } = await newCaller();
    await keep(key, { provider: 'gitlab', token: tokenFor(['acme/web-0']) });
    await search(key, 'repositories', { provider: 'gitlab', limit: 1_000 });
    expect(double.requests[0]?.url).toContain('per_page=100&');
  });

  it('are empty without a credential, and for providers that are not searched', async () => {
    const { key } = await newCaller();
    for (const provider of [...PROVIDERS, 'bitbucket_data_center', 'enterprise_sso'])
      for (const [what, more] of [
        ['installations', {}],
        ['repositories', {}],
        ['branches', { repository: 'acme/web-0' }],
      ] as const)
        expect(await search(key, what, { provider, ...more })).toMatchObject({
          status: 200,
          body: { items: [], next_page_id: null },
        });
    expect(double.requests).toEqual([]);
  });

  it.each(PROVIDERS)('find nothing at %s below an address that is no text', async (provider) => {
    const { key } = await newCaller();
    const id = await keep(key, { provider, token: tokenFor(['acme/web-0']), path: 'a' });
    // As one that is kept from before such addresses were refused.
    await app().db.query(`UPDATE git_credentials SET url_prefix = $2 WHERE id = $1`, [
      id,
      `${double.origin}/%zz/a`,
    ]);
    expect((await search(key, 'installations', { provider })).status).toBe(200);
    expect(await all(key, 'repositories', { provider, limit: 1 })).toEqual([]);
  });

  it('follow a renamed repository within the host', async () => {
    const { key } = await newCaller();
    await keep(key, { provider: 'github', token: tokenFor(['acme/web-0', 'acme/renamed']) });
    const found = await search(key, 'branches', { provider: 'github', repository: 'acme/renamed' });
    expect(found.body.items.map(({ name }) => name)).toEqual(BRANCHES);
  });

  it('find with one’s own credential and the organization’s, each repository once', async () => {
    const provider = 'forgejo';
    const admin = await newCaller('admin');
    const own = tokenFor(['acme/web-0', 'acme/web-1', 'mine/site']);
    const ours = tokenFor(['acme/web-0', 'acme/web-1', 'other/site']);
    await keep(admin.key, { provider, token: own });
    await keep(admin.key, { provider, token: ours, path: 'acme', orgId: admin.orgId });
    expect(names(await all(admin.key, 'repositories', { provider, limit: 1 })).sort()).toEqual([
      'acme/web-0',
      'acme/web-1',
      'mine/site',
    ]);
    expect(double.tokensSeen.sort()).toEqual([own, ours].sort());
    double.requests.length = 0;
    await search(admin.key, 'branches', { provider, repository: 'acme/web-0' });
    await search(admin.key, 'branches', { provider, repository: 'mine/site' });
    expect(double.tokensSeen).toEqual([ours, own]);
  });

  it('use no credential of another user, nor of another organization', async () => {
    const provider = 'gitlab';
    const [mine, other] = [await newCaller('admin'), await newCaller('admin')];
    const colleague = await makeCaller(app().db, mine.orgId);
    await keep(colleague.key, { provider, token: tokenFor(['acme/web-0']) });
    await keep(other.key, { provider, token: tokenFor(['acme/web-1']) });
    await keep(other.key, { provider, token: tokenFor(['acme/web-2']), orgId: other.orgId, path: 'acme' });
    const bound = (await makeKey(app().db, mine.userId, { orgId: mine.orgId })).key;
    for (const key of [mine.key, bound])
      for (const [what, more] of [
        ['installations', {}],
        ['repositories', {}],
        ['branches', { repository: 'acme/web-2' }],
      ] as const)
        expect((await search(key, what, { provider, ...more })).body.items).toEqual([]);
    expect(double.requests).toEqual([]);
    const elsewhere = await call<ErrorBody>(
      app(),
      'GET',
      `/api/v1/git/installations/search?provider=gitlab`,
      {
        key: mine.key,
        headers: { 'X-Org-Id': other.orgId },
      },
    );
    expect(elsewhere.status).toBe(403);
  });

  it('use none that the user keeps for all organizations where an administrator’s link let them in', async () => {
    const provider = 'gitlab';
    const admin = await newCaller('admin');
    const member = await makeCaller(app().db, admin.orgId);
    await keep(member.key, { provider, token: tokenFor(['acme/web-0']) });
    const { key } = await letIn(app(), admin, member.userId);
    expect((await search(key, 'repositories', { provider })).body.items).toEqual([]);
    expect(double.requests).toEqual([]);
    expect((await search(member.key, 'repositories', { provider })).body.items).toHaveLength(1);
  });

  it('have pages for one caller and one search only', async () => {
    const provider = 'gitlab';
    const [one, other] = [await newCaller(), await newCaller()];
    const token = tokenFor(['acme/web-0', 'acme/web-1', 'acme/web-2']);
    await keep(one.key, { provider, token });
    await keep(other.key, { provider, token });
    const first = await search(one.key, 'repositories', { provider, limit: 1 });
    const page = first.body.next_page_id ?? '';
    expect(page).not.toMatch(/acme|page/);
    const unknown = { status: 400, body: { code: 'page_id_invalid' } };
    const next = { provider, limit: 1, page_id: page };
    expect(await search(other.key, 'repositories', next)).toMatchObject(unknown);
    expect(await search(one.key, 'repositories', { ...next, query: 'web' })).toMatchObject(unknown);
    expect(await search(one.key, 'installations', next)).toMatchObject(unknown);
    expect(await search(one.key, 'repositories', { ...next, page_id: `${page}A` })).toMatchObject(unknown);
    expect((await search(one.key, 'repositories', next)).body.items).toHaveLength(1);
  });

  it.each([
    ['without a provider', 'repositories', {}, 422],
    ['of an unknown provider', 'repositories', { provider: 'sourceforge' }, 422],
    ['with too long a query', 'repositories', { provider: 'github', query: 'q'.repeat(201) }, 422],
    ['of no page', 'repositories', { provider: 'github', limit: 0 }, 422],
    ['of branches of nothing', 'branches', { provider: 'github' }, 422],
    ['of branches of no full name', 'branches', { provider: 'github', repository: 'web' }, 422],
  ] as const)('%s are refused', async (_, what, query, status) => {
    const { key } = await newCaller();
    expect((await search(key, what, query)).status).toBe(status);
    expect((await search('', what, query)).status).toBe(401);
  });
});
